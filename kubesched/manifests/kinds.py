"""Which model a manifest is for, by its kind and API version."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from kubesched.model import KINDS, Deployment, KubeObject, ReplicaSet

BY_KIND: Final[Mapping[str, type[KubeObject]]] = MappingProxyType(
    {model.kind: model for model in KINDS}
)
_FORMERLY = {("extensions/v1beta1", model.kind) for model in (Deployment, ReplicaSet)}


def api_version(model: type[KubeObject]) -> str:
    """Name the API version that objects of a model are written as.

    >>> from kubesched.model import Pod, StorageClass
    >>> api_version(Pod), api_version(StorageClass)
    ('v1', 'storage.k8s.io/v1')
    """
    return f"{model.group}/{model.versions[0]}" if model.group else model.versions[0]


def model_of(kind: str, version: str = "") -> type[KubeObject] | None:
    """Find the model of a kind; without an API version, the kind alone decides.

    Deployments and replica sets of `extensions/v1beta1` count: 1.12 lists them so.

    >>> model_of("Pod", "v1"), model_of("Service", "serving.knative.dev/v1")
    (<class 'kubesched.model.pod.Pod'>, None)
    """
    model = BY_KIND.get(kind)
    if model is None or not version or (version, kind) in _FORMERLY:
        return model
    group, _, number = version.rpartition("/")
    return model if group == model.group and number in model.versions else None


def unknown_name(kind: str, version: str) -> str:
    """Name what there is no model for; by its kind alone, unless that would be taken for ours.

    >>> unknown_name("ConfigMap", "v1"), unknown_name("Pod", "v2")
    ('ConfigMap', 'Pod.v2')
    >>> unknown_name("Service", "serving.knative.dev/v1")
    'Service.serving.knative.dev'
    """
    model = BY_KIND.get(kind)
    if model is None:
        return kind
    group, _, number = version.rpartition("/")
    return ".".join(filter(None, (kind, number if group == model.group else "", group)))
