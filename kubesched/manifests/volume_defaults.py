"""What an API server fills in for the volumes of pods and for persistent volumes."""
