"""Keeping a cluster up to date by what an API server says."""

from kubesched.runtime.feed.cluster_feed import (
    MOST_GONE,
    ClusterFeed,
    FeedProblem,
    Report,
    log_problem,
)
from kubesched.runtime.feed.wire_feed import WireFeed

__all__ = [
    "MOST_GONE",
    "ClusterFeed",
    "FeedProblem",
    "Report",
    "WireFeed",
    "log_problem",
]
