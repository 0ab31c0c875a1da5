"""What Hypothesis loads when it is imported: it makes `st.from_type(Pod)` draw pods.

It stands beside the package, not in it: whoever imports Hypothesis loads it, and need not wait for
`kubesched.testing`, nor suffer from it, before the first model is drawn.
"""

from collections.abc import Mapping
from typing import Any, Final, get_args

import attrs
from hypothesis import strategies as st

from kubesched import model
from kubesched.config import FeatureGates, Profile
from kubesched.framework import Registry
from kubesched.model import FrozenMap
from kubesched.quantity import Quantity
from kubesched.state import Cluster, NodeInfo, Snapshot

MODELS: Final[tuple[type[Any], ...]] = tuple(
    each
    for each in map(vars(model).__getitem__, model.__all__)
    if isinstance(each, type) and attrs.has(each)
)
"""Every model class."""


_STRATEGIES: Final[Mapping[type[Any], str]] = {
    Cluster: "clusters",
    FeatureGates: "feature_gates",
    NodeInfo: "node_infos",
    Profile: "profiles",
    Registry: "registries",
}
"""What else can be drawn, by the name of the strategy."""


def register() -> None:
    """Tell Hypothesis how all models are drawn, and quantities, clusters, registries and the like.

    It may be called again; somebody's own registration of one of these types comes after it.

    >>> from hypothesis import find, strategies as st
    >>> register()
    >>> find(st.from_type(model.Pod), lambda pod: True).key
    'default/p1'
    """
    for kind in (*MODELS, Quantity):
        st.register_type_strategy(kind, _models)
    for kind in _STRATEGIES:
        st.register_type_strategy(kind, _others)
    st.register_type_strategy(Snapshot, _snapshots)
    st.register_type_strategy(FrozenMap, _frozen_maps)


# What these import is loaded when the first model is drawn.


def _models(kind: type[Any]) -> st.SearchStrategy[Any]:
    from kubesched.testing.strategies import models  # noqa: PLC0415 - see above

    return models(kind)


def _others(kind: type[Any]) -> st.SearchStrategy[Any]:
    from kubesched.testing import strategies  # noqa: PLC0415 - see above

    drawn: st.SearchStrategy[Any] = getattr(strategies, _STRATEGIES[kind])()
    return drawn


def _snapshots(_kind: type[Any]) -> st.SearchStrategy[Snapshot]:
    return _others(Cluster).map(Cluster.snapshot)


def _frozen_maps(kind: Any) -> st.SearchStrategy[Any]:
    keys, values = get_args(kind) or (str, str)
    return st.dictionaries(st.from_type(keys), st.from_type(values), max_size=3).map(FrozenMap)
