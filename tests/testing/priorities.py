"""The custom priorities that the laws are tried on: some with a mistake, some without."""

from typing import Any, Final

from kubesched import PrioritySpec
from tests.testing.faults.priorities import (
    above_average,
    below_zero,
    binary_rounding,
    by_rank,
    careful,
    changed_node,
    jitter,
    left_out,
    never_removed,
    old_names,
    order_of_requests,
    other_nodes,
    shared_default,
    time_of_day,
    undeclared_read,
    whole_node,
)
from tests.testing.honest.priorities import (
    best_fit,
    cheap_nodes,
    dense_ranks,
    held_images,
    newer_nodes,
    soft_taints,
    spread_over_racks,
)

PLANTED: Final[tuple[tuple[str, PrioritySpec[Any], str], ...]] = (
    ("it reads the node's pods and declares its labels", undeclared_read.RULE, "reads"),
    ("it reads all nodes and declares one", other_nodes.RULE, "reads"),
    ("it adds the pod to the node's own totals", changed_node.RULE, "purity"),
    ("it goes by the first of the requests", order_of_requests.RULE, "order"),
    ("it goes by the last of two annotations", old_names.RULE, "order"),
    ("it adds floats in the order of the requests", careful.RULE, "order"),
    ("it is off by one where a pod takes a whole node", whole_node.RULE, "scores"),
    ("it rounds up what binary floats made too large", binary_rounding.RULE, "range"),
    ("its reduce gives more than 10", above_average.RULE, "range"),
    ("it gives less than 0", below_zero.RULE, "range"),
    ("its reduce gives scores back in another order", by_rank.RULE, "node order"),
    ("its reduce leaves nodes out", left_out.RULE, "one score each"),
    ("it goes by the time of day", time_of_day.RULE, "constancy"),
    ("it throws dice", jitter.RULE, "repetition or constancy"),
    ("it remembers by name in a default that all calls share", shared_default.RULE, "repetition"),
    ("its meta does not follow pods that go", never_removed.RULE, "following"),
)
"""What is wrong, with which priority, and the law that it breaks, or one of two."""

HONEST: Final[tuple[PrioritySpec[Any], ...]] = (
    best_fit.RULE,
    cheap_nodes.RULE,
    dense_ranks.RULE,
    held_images.RULE,
    newer_nodes.RULE,
    soft_taints.RULE,
    spread_over_racks.RULE,
)
