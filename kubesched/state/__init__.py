"""What is known of the cluster, and how it was at one moment."""

from kubesched.state.affinity_group import AffinityGroup
from kubesched.state.changes import Change, Listener
from kubesched.state.cluster import ASSUME_TTL, Cluster
from kubesched.state.facets import CLUSTER_FACETS, FACET_OF_KIND, NODE_FACETS, Facet
from kubesched.state.host_ports import HostPort, UsedPorts, host_ports
from kubesched.state.images import ImageState
from kubesched.state.label_group import LabelGroup
from kubesched.state.node_info import NodeInfo
from kubesched.state.node_tree import NodeCursor, NodeOrder, NodeTree, zone_key
from kubesched.state.resources import (
    NonzeroRequests,
    Resources,
    nonzero_requests,
    requests_once_placed,
    requests_to_fit,
)
from kubesched.state.snapshot import Snapshot
from kubesched.state.table import Table, TableView

__all__ = [
    "ASSUME_TTL",
    "CLUSTER_FACETS",
    "FACET_OF_KIND",
    "NODE_FACETS",
    "AffinityGroup",
    "Change",
    "Cluster",
    "Facet",
    "HostPort",
    "ImageState",
    "LabelGroup",
    "Listener",
    "NodeCursor",
    "NodeInfo",
    "NodeOrder",
    "NodeTree",
    "NonzeroRequests",
    "Resources",
    "Snapshot",
    "Table",
    "TableView",
    "UsedPorts",
    "host_ports",
    "nonzero_requests",
    "requests_once_placed",
    "requests_to_fit",
    "zone_key",
]
