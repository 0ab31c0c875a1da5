"""A scheduler in its world: what it is made of, and what it asks."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final

from attrs import define, evolve, field, frozen

from kubesched.config import Profile
from kubesched.framework import RuleSet
from kubesched.model import Binding
from kubesched.runtime import Binder, Clock, PriorityQueue, Scheduler, SchedulingQueue
from kubesched.state import Cluster
from kubesched.testing.machines.checked_cache import CheckedCache
from kubesched.testing.machines.insides import is_under_way
from kubesched.testing.machines.loop.api import Api
from kubesched.testing.machines.loop.elsewhere import Elsewhere
from kubesched.testing.machines.loop.faults import Faults
from kubesched.testing.machines.loop.mood import MOOD
from kubesched.testing.machines.loop.outside import Outside

BIND_TIMEOUT: Final = 600.0
"""Seconds that a binding may take."""


def _as_it_is(binder: Binder) -> Binder:
    return binder


@frozen
class Parts:
    """What schedulers are made of, as far as somebody may have written it.

    Attributes:
        rules: what they decide by; the world adds a rule that does as the node pleases, and two
            extenders.
        make_queue: makes a queue that goes by a clock.
        make_binder: puts a binder before the world's own.
    """

    rules: RuleSet = field(factory=Profile.default)
    make_queue: Callable[[Clock], SchedulingQueue] = PriorityQueue
    make_binder: Callable[[Binder], Binder] = _as_it_is


@frozen(eq=False)
class Around:
    """What is around schedulers.

    Attributes:
        cluster: what they know.
        clock: the time.
        api: the API server.
        faults: what is planned to go wrong.
        tell: tells what happens.
        counts: how often what has happened.
        said_bound: UIDs of pods and their nodes, as binders have reported success.
    """

    cluster: Cluster
    clock: Clock
    api: Api
    faults: Faults
    tell: Callable[[str], None]
    counts: Counter[str]
    said_bound: set[tuple[str, str]]


@frozen
class Manner:
    """How schedulers work.

    Attributes:
        workers: how many help each of them to decide.
        remembers: whether they remember verdicts.
        elsewhere: whether pods are bound elsewhere, or before the next pod.
    """

    workers: int = 1
    remembers: bool = False
    elsewhere: bool = True


@define(eq=False)
class Member:
    """A scheduler and what it asks.

    Attributes:
        scheduler: the scheduler.
        outside: all that it asks.
        witness: sees what it asks its binder, and what it is told.
        elsewhere: where its pods are bound, if that is not done before the next pod.
        cache: what it remembers, if it does.
    """

    scheduler: Scheduler
    outside: Outside
    witness: "Witness"
    elsewhere: Elsewhere | None
    cache: CheckedCache | None

    @classmethod
    def of(cls, name: str, around: Around, parts: Parts, manner: Manner) -> "Member":
        """Start a scheduler."""
        outside = Outside(around.api, around.faults, around.tell)
        witness = Witness(around, parts.make_binder(outside))
        elsewhere = Elsewhere() if manner.elsewhere else None
        cache = CheckedCache() if manner.remembers else None
        scheduler = Scheduler(
            around.cluster,
            _rules(parts.rules, outside, witness),
            name=name,
            clock=around.clock,
            queue=parts.make_queue(around.clock),
            binder=witness,
            volume_binder=outside,
            conditions=outside,
            preemptor=outside,
            recorder=outside,
            workers=manner.workers,
            equivalence_cache=cache,
            binding_threads=elsewhere or 0,
            bind_timeout=BIND_TIMEOUT,
            observer=outside.observe,
        )
        witness.scheduler = scheduler
        return cls(scheduler, outside, witness, elsewhere, cache)


def _rules(rules: RuleSet, outside: Outside, witness: "Witness") -> RuleSet:
    """Return somebody's rules and what the world adds to them.

    Only one extender may bind, and it has to do so in this world.
    """
    bind = partial(witness.ask, outside.bind_by_extender)
    theirs = [evolve(each, bind=bind if each.bind else None) for each in rules.extenders]
    ours = outside.extenders(None if any(each.bind for each in theirs) else bind)
    return evolve(rules.with_predicate(MOOD), extenders=(*theirs, *ours))


@define(eq=False)
class Witness:
    """Stands between a scheduler and its binder, and notes what is asked and what is answered.

    Attributes:
        around: the API server, which knows what is bound, and where things are noted.
        binder: the binder.
        scheduler: the scheduler.
    """

    around: Around
    binder: Binder
    scheduler: Scheduler | None = field(default=None, init=False)

    def bind(self, binding: Binding, /) -> None:
        """Let the binder bind a pod."""
        self.ask(self.binder.bind, binding)

    def ask(self, bind: Callable[[Binding], None], binding: Binding, /) -> None:
        """Let somebody bind a pod, and see whether it is bound if that is said."""
        api, target = self.around.api, binding.target.name
        if not self._is_wanted(binding):
            api.broken.append(f"{binding.key} is bound though that was given up")
        bind(binding)
        if api.bound.get(binding.uid) != target:
            api.broken.append(f"{binding.key} is said to be bound to {target}, and is not")
        self.around.said_bound.add((binding.uid, target))
        self.around.counts["succeeded late"] += not self._is_wanted(binding)

    def _is_wanted(self, binding: Binding) -> bool:
        return self.scheduler is not None and is_under_way(binding, self.scheduler)
