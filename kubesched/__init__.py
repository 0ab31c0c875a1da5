"""The kube-scheduler's algorithm as a library that needs no cluster."""
