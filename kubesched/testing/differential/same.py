"""Whether two schedulers decide the same."""

from collections.abc import Iterable

from kubesched.model import Pod
from kubesched.state import Cluster
from kubesched.testing.differential.attempts import Tally, attempts_on
from kubesched.testing.differential.course import Course
from kubesched.testing.differential.decider import Decider, DecidesBy
from kubesched.testing.differential.errors import DecisionsDifferError
from kubesched.testing.differential.recorder import answers_on

__tracebackhide__ = True  # pytest then shows the test, and not how it went on here


def assert_same_decisions(
    first: DecidesBy, second: DecidesBy, cluster: Cluster, pods: Iterable[Pod] | None = None
) -> None:
    """Assert that two profiles, registries or schedulers decide the same, for the same reasons.

    Pods are scheduled one after the other by both; each goes where the first one puts it. All that
    the first one says of a pod the second one has to say, too: the node, why others do not fit,
    each score and total, who would have to make room. The cluster and the schedulers stay as they
    are.

    Args:
        first: one of them; of a registry all rules decide, every predicate being asked.
        second: the other one.
        cluster: the cluster at the start.
        pods: the pods, in this order; the cluster's pending pods if nothing is given.

    Raises:
        DecisionsDifferError: they do not; it tells about which pod, in what, and in which
            situation.
        ClusterError: a pod is on a node already, or comes twice.
        OptionError: one of them is nothing that could decide.
        SpecError: a rule broke the contract.

    >>> from kubesched.builders import node, pod
    >>> from kubesched.config import Profile
    >>> cluster = Cluster.of([node("n1", cpu=4), node("n2", cpu=4), pod("web", cpu=2)])
    >>> assert_same_decisions(Profile.default(), Profile.default(), cluster)
    >>> packing = Profile.from_provider("ClusterAutoscalerProvider")
    >>> try:
    ...     assert_same_decisions(Profile.default(), packing, cluster)
    ... except DecisionsDifferError as error:
    ...     print(error.report.differences[0].parts[0])
    scores[LeastRequestedPriority][n1]: expected 7, got nothing
    """
    wanted = tuple(cluster.pending.values() if pods is None else pods)
    one, other = (Course.of(cluster.copy(), wanted, Decider.of(by)) for by in (first, second))
    tally = Tally()
    tally.note(attempts_on(other, wanted, answers_on(one, wanted)))
    if tally.differences:
        raise DecisionsDifferError(tally.report(sides=("first", "second")))
