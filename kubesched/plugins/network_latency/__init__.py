"""Nearness to the pods that a pod talks to, by the latency between their places.

Kubernetes has no such score: a scheduler that has to answer like the original does without it.
"""

from kubesched.plugins.network_latency.latencies import AskLatency, Latency
from kubesched.plugins.network_latency.peers import (
    Peer,
    PeersOf,
    peers_by_label,
    peers_in_annotation,
)
from kubesched.plugins.network_latency.score import network_latency

__all__ = [
    "AskLatency",
    "Latency",
    "Peer",
    "PeersOf",
    "network_latency",
    "peers_by_label",
    "peers_in_annotation",
]
