"""Lets a node take pods of two apps at most.

What is wrong: it collects the apps in a default argument, which all calls share, and so those of
one node count on every other one.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

TOO_MANY: Final = Reason("node(s) had pods of too many apps")
MOST: Final = 2


def has_few_apps(
    pod: Pod,
    _meta: None,
    node: NodeInfo,
    apps: set[str] = set(),  # noqa: B006 - this is the mistake
    /,
) -> Fit:
    apps.update(each.labels.get("app", "") for each in node.pods.values())
    apps.add(pod.labels.get("app", ""))
    return FITS if len(apps) <= MOST else Fit(TOO_MANY)


RULE: Final = PredicateSpec("FewApps", has_few_apps, reads={Facet.PODS})
