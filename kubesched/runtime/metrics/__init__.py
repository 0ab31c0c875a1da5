"""How much is scheduled, and how long it takes."""

from kubesched.runtime.metrics.instruments import Distribution, Metric
from kubesched.runtime.metrics.metrics import Metrics, MetricsSnapshot

__all__ = [
    "Distribution",
    "Metric",
    "Metrics",
    "MetricsSnapshot",
]
