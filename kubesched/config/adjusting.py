"""Stock rules that a setting changes, put in the place of those that are registered.

Somebody's own rule under a stock name is left as it is.
"""

from collections.abc import Iterable
from typing import Final

from kubesched.config.registries import GENERAL_PREDICATES, general_predicates
from kubesched.framework import Registry
from kubesched.plugins.pod_affinity import INTER_POD_AFFINITY, inter_pod_affinity
from kubesched.plugins.resources import POD_FITS_RESOURCES, pod_fits_resources_ignoring

DEFAULT_HARD_WEIGHT: Final = 1
"""What required pod affinity of placed pods counts for in InterPodAffinityPriority."""


def with_hard_weight(registry: Registry, weight: int) -> Registry:
    """Return the registry whose InterPodAffinityPriority counts required affinity so much."""
    stock = INTER_POD_AFFINITY
    if weight == DEFAULT_HARD_WEIGHT or registry.priorities.get(stock.name) is not stock:
        return registry
    priorities = {**registry.priorities, stock.name: inter_pod_affinity(weight)}
    return Registry(registry.predicates, priorities, registry.max_score)


def ignoring_resources(registry: Registry, names: Iterable[str]) -> Registry:
    """Return the registry whose PodFitsResources, alone and in general, ignores resources.

    Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/metadata.go,
    RegisterPredicateMetadataProducerWithExtendedResourceOptions.

    >>> from kubesched.config import stock_registry
    >>> registry = ignoring_resources(stock_registry(), ["example.com/gpu"])
    >>> registry.predicate("PodFitsResources") is POD_FITS_RESOURCES
    False
    """
    fit = pod_fits_resources_ignoring(names)
    if fit is POD_FITS_RESOURCES:
        return registry
    pairs = ((POD_FITS_RESOURCES, fit), (GENERAL_PREDICATES, general_predicates(fit)))
    known = registry.predicates
    changed = {stock.name: other for stock, other in pairs if known.get(stock.name) is stock}
    return Registry({**known, **changed}, registry.priorities, registry.max_score)
