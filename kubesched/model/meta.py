"""What every Kubernetes object has: metadata, owners, a kind; and the label selector."""

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import ClassVar

from attrs import field, frozen

from kubesched.model.frozen import Model, frozen_tuple, string_map


@frozen(kw_only=True, repr=False)
class OwnerReference(Model):
    """Who owns an object; at most one of the owners is its controller.

    Source: kubernetes v1.12.2, k8s.io/apimachinery/pkg/apis/meta/v1/types.go.
    """

    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None
    block_owner_deletion: bool | None = None


@frozen(kw_only=True, repr=False)
class ObjectMeta(Model):
    """An object's name, labels and history.

    Source: kubernetes v1.12.2, k8s.io/apimachinery/pkg/apis/meta/v1/types.go.
    """

    name: str = ""
    generate_name: str = ""
    namespace: str = ""
    self_link: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: int = 0
    creation_timestamp: datetime | None = None
    deletion_timestamp: datetime | None = None
    deletion_grace_period_seconds: int | None = None
    labels: Mapping[str, str] = field(factory=dict, converter=string_map)
    annotations: Mapping[str, str] = field(factory=dict, converter=string_map)
    owner_references: tuple[OwnerReference, ...] = field(default=(), converter=frozen_tuple)
    finalizers: tuple[str, ...] = field(default=(), converter=frozen_tuple)

    @cached_property
    def key(self) -> str:
        """`namespace/name`, or the bare name where there is no namespace."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name

    @property
    def controller(self) -> OwnerReference | None:
        """The owner that controls this object, if any."""
        return next((owner for owner in self.owner_references if owner.controller), None)


def uids_differ(one: str, other: str) -> bool:
    """Tell whether two uids are of different objects; where one is not known they are not."""
    return bool(one and other and one != other)


@frozen(kw_only=True, repr=False)
class KubeObject(Model):
    """What stands at the top of a manifest: something with a kind and metadata.

    `group` is the API group it is served under (empty for the core group); `versions` are the
    versions of that group whose form the model understands, and the first is what it is dumped as.
    """

    kind: ClassVar[str]
    group: ClassVar[str] = ""
    versions: ClassVar[tuple[str, ...]] = ("v1",)
    namespaced: ClassVar[bool] = True

    metadata: ObjectMeta = field(factory=ObjectMeta)

    def __str__(self) -> str:
        """Return the key; `repr` tells all."""
        return self.key

    @property
    def name(self) -> str:
        """The name, unique among the objects of this kind in the namespace."""
        return self.metadata.name

    @property
    def namespace(self) -> str:
        """The namespace; empty for what lives in none."""
        return self.metadata.namespace

    @property
    def uid(self) -> str:
        """The identity that the API server gave it; empty in a hand-written manifest."""
        return self.metadata.uid

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels."""
        return self.metadata.labels

    @property
    def annotations(self) -> Mapping[str, str]:
        """The annotations."""
        return self.metadata.annotations

    @property
    def key(self) -> str:
        """`namespace/name`, or the bare name where there is no namespace."""
        return self.metadata.key


@frozen(kw_only=True, repr=False)
class ObjectReference(Model):
    """Another object, by name and, where it is known, by identity."""

    kind: str = ""
    namespace: str = ""
    name: str = ""
    uid: str = ""
    api_version: str = ""
    resource_version: str = ""


@frozen(kw_only=True, repr=False)
class LabelSelectorRequirement(Model):
    """One condition on a label; `operator` is In, NotIn, Exists or DoesNotExist."""

    key: str = ""
    operator: str = ""
    values: tuple[str, ...] = field(default=(), converter=frozen_tuple)


@frozen(kw_only=True, repr=False)
class LabelSelector(Model):
    """Conditions on labels, all of which must hold; an empty selector selects everything.

    Source: kubernetes v1.12.2, k8s.io/apimachinery/pkg/apis/meta/v1/types.go.
    """

    match_labels: Mapping[str, str] = field(factory=dict, converter=string_map)
    match_expressions: tuple[LabelSelectorRequirement, ...] = field(
        default=(), converter=frozen_tuple
    )
