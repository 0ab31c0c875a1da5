"""What an extender may answer, verb by verb, in the types of the original.

Source: kubernetes v1.12.2, pkg/scheduler/api/types.go (ExtenderFilterResult, HostPriorityList,
ExtenderPreemptionResult, ExtenderBindingResult), staging/src/k8s.io/api/core/v1/types.go (Node).
"""

from typing import Final

from kubesched.plugins.http_extender.reading import (
    INT32,
    INT64,
    QUANTITY,
    TEXT,
    TIME,
    TRUTH,
    list_of,
    map_of,
    optional,
    struct,
)

_TEXTS: Final = map_of(TEXT)

_OBJECT_META: Final = struct(
    name=TEXT,
    generateName=TEXT,
    namespace=TEXT,
    selfLink=TEXT,
    uid=TEXT,
    resourceVersion=TEXT,
    generation=INT64,
    creationTimestamp=TIME,
    deletionTimestamp=TIME,
    deletionGracePeriodSeconds=optional(INT64),
    labels=_TEXTS,
    annotations=_TEXTS,
    ownerReferences=list_of(
        struct(
            apiVersion=TEXT,
            kind=TEXT,
            name=TEXT,
            uid=TEXT,
            controller=optional(TRUTH),
            blockOwnerDeletion=optional(TRUTH),
        )
    ),
    initializers=optional(struct(pending=list_of(struct(name=TEXT)))),
    finalizers=list_of(TEXT),
    clusterName=TEXT,
)

_CONFIG_SOURCE: Final = optional(
    struct(
        configMap=optional(
            struct(namespace=TEXT, name=TEXT, uid=TEXT, resourceVersion=TEXT, kubeletConfigKey=TEXT)
        )
    )
)

_NODE_SPEC: Final = struct(
    podCIDR=TEXT,
    providerID=TEXT,
    unschedulable=TRUTH,
    taints=list_of(struct(key=TEXT, value=TEXT, effect=TEXT, timeAdded=TIME)),
    configSource=_CONFIG_SOURCE,
    externalID=TEXT,
)

_NODE_STATUS: Final = struct(
    capacity=map_of(QUANTITY),
    allocatable=map_of(QUANTITY),
    phase=TEXT,
    conditions=list_of(
        struct(
            type=TEXT,
            status=TEXT,
            lastHeartbeatTime=TIME,
            lastTransitionTime=TIME,
            reason=TEXT,
            message=TEXT,
        )
    ),
    addresses=list_of(struct(type=TEXT, address=TEXT)),
    daemonEndpoints=struct(kubeletEndpoint=struct(Port=INT32)),
    nodeInfo=struct(
        machineID=TEXT,
        systemUUID=TEXT,
        bootID=TEXT,
        kernelVersion=TEXT,
        osImage=TEXT,
        containerRuntimeVersion=TEXT,
        kubeletVersion=TEXT,
        kubeProxyVersion=TEXT,
        operatingSystem=TEXT,
        architecture=TEXT,
    ),
    images=list_of(struct(names=list_of(TEXT), sizeBytes=INT64)),
    volumesInUse=list_of(TEXT),
    volumesAttached=list_of(struct(name=TEXT, devicePath=TEXT)),
    config=optional(
        struct(
            assigned=_CONFIG_SOURCE,
            active=_CONFIG_SOURCE,
            lastKnownGood=_CONFIG_SOURCE,
            error=TEXT,
        )
    ),
)

_NODE_LIST: Final = struct(
    kind=TEXT,
    apiVersion=TEXT,
    metadata=struct(**{"selfLink": TEXT, "resourceVersion": TEXT, "continue": TEXT}),
    items=list_of(
        struct(
            kind=TEXT,
            apiVersion=TEXT,
            metadata=_OBJECT_META,
            spec=_NODE_SPEC,
            status=_NODE_STATUS,
        )
    ),
)

FILTERED: Final = struct(
    Nodes=optional(_NODE_LIST),
    NodeNames=list_of(TEXT),
    FailedNodes=_TEXTS,
    Error=TEXT,
)
"""Which nodes are kept, as whole nodes or by name, and what speaks against others."""

SCORED: Final = list_of(struct(Host=TEXT, Score=INT64))
"""Scores by node name."""

PREEMPTED: Final = struct(
    NodeNameToMetaVictims=map_of(
        optional(struct(Pods=list_of(optional(struct(UID=TEXT))), NumPDBViolations=INT64))
    )
)
"""Who has to leave which node."""

BOUND: Final = struct(Error=TEXT)
"""Whether the pod is bound."""
