"""What happens to the cluster, and who wants to know."""

from collections.abc import Callable
from typing import Literal, TypeAlias

from attrs import frozen

from kubesched.model import KubeObject


@frozen
class Change:
    """Something that happened to an object: `before` or `after` is None where there is none."""

    action: Literal["added", "updated", "removed", "assumed", "forgotten", "expired"]
    before: KubeObject | None
    after: KubeObject | None


Listener: TypeAlias = Callable[[Change], None]
"""Somebody who wants to know; called with the cluster's lock held, so it had better be quick."""
