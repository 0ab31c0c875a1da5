"""Schedulers in a small world of which every step is commanded: the same commands, the same way.

What must be so in it is in `checks`.
"""

from typing import Final

from attrs import define, evolve, field

from kubesched.runtime import Outcome, Scheduler
from kubesched.testing.machines.insides import overdue_bindings, overdue_in, under_way
from kubesched.testing.machines.loop.elsewhere import Elsewhere
from kubesched.testing.machines.loop.faults import Fault, Faults
from kubesched.testing.machines.loop.member import BIND_TIMEOUT, Around, Manner, Member, Parts
from kubesched.testing.machines.loop.world import World

NAMES: Final = ("default-scheduler", "batch-scheduler")
"""Of the two schedulers."""

LATER: Final = BIND_TIMEOUT + 1
"""Seconds after which any binding is overdue."""

MOST_PLANNED: Final = 3
"""How many faults may wait for one step, lest quiet times end."""


@define(eq=False)
class Loop(World):
    """Two schedulers that share one cluster, in their world.

    Attributes:
        manner: how the schedulers work.
        parts: what they are made of.
        faults: what is planned to go wrong.
        said_bound: UIDs of pods and their nodes, as binders have reported success.
        members: the schedulers.
        dead: requests of schedulers that were killed, which may still arrive.
        late: what schedulers should have given up, or closed, and have not.
    """

    manner: Manner = field(factory=Manner)
    parts: Parts = field(factory=Parts)
    faults: Faults = field(init=False)
    said_bound: set[tuple[str, str]] = field(factory=set, init=False)
    members: list[Member] = field(factory=list, init=False)
    dead: list[Elsewhere] = field(factory=list, init=False)
    late: list[str] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.faults = Faults(self._hang, self.hear_all)
        self._start()

    # -- the schedulers ------------------------------------------------------------------------

    def schedule_one(self, at: int) -> None:
        """Let one of the schedulers do its work."""
        scheduler = self._member(at).scheduler
        self.tell_outcome(scheduler.schedule_one(block=False))
        self._note_what_is_late(scheduler)

    def schedule_all(self, at: int) -> None:
        """Let one of the schedulers work until it has nothing to do."""
        for outcome in self._member(at).scheduler.run_until_idle():
            self.tell_outcome(outcome)

    def bind_one(self, at: int) -> None:
        """Let a binding that is under way go on to its end."""
        elsewhere = self._member(at).elsewhere
        if elsewhere is not None and elsewhere.tasks:
            elsewhere.run(at // 2 % len(elsewhere.tasks))

    def let_time_pass(self, seconds: float) -> None:
        """Let time pass; nobody does anything about it yet."""
        self.clock.advance(seconds)

    def keep_time(self, at: int) -> None:
        """Let one of the schedulers do what time makes due."""
        self._member(at).scheduler.keep_time()
        self._note_what_is_late(self._member(at).scheduler)

    def plan(self, step: str, fault: Fault) -> None:
        """Have something go wrong the next time."""
        if len(self.faults.planned.get(step, ())) < MOST_PLANNED:
            self.faults.plan(step, fault)

    # -- stopping and starting -----------------------------------------------------------------

    def kill(self, *, elsewhere: bool) -> None:
        """Kill the schedulers and start others, which know nothing; some requests arrive late."""
        self.counts["killed"] += 1
        self.dead = [each.elsewhere for each in self.members if each.elsewhere is not None]
        self.manner = evolve(self.manner, elsewhere=elsewhere)
        self._start()

    def stop(self, *, elsewhere: bool) -> None:
        """Stop the schedulers in good order and start others."""
        self.counts["stopped"] += 1
        for member in self.members:
            if member.elsewhere is not None:
                member.elsewhere.cancel_all()
            member.scheduler.close()
            self._note_what_goes_on(member.scheduler)
        self.manner = evolve(self.manner, elsewhere=elsewhere)
        self._start()

    def bind_late(self, at: int) -> None:
        """Let the binding of a scheduler that is dead arrive."""
        for elsewhere in self.dead:
            if elsewhere.tasks:
                elsewhere.run(at % len(elsewhere.tasks))
                return

    def places(self) -> str:
        """Return where all pods are, as text."""
        parts = [
            f"{pod.name} {member.scheduler.queue.part_of(pod)}"
            for member in self.members
            for pod in member.scheduler.queue.pending()
        ]
        placed = [f"{p.name} {p.node_name}" for p in self.cluster.pods.values() if p.node_name]
        return ", ".join([*parts, *placed])

    # -- within --------------------------------------------------------------------------------

    def _start(self) -> None:
        self.know_nothing()
        self.relist(0)
        self.members = [self._make_member(NAMES[0])]
        self.relist(1)
        self.members.append(self._make_member(NAMES[1]))

    def _make_member(self, name: str) -> Member:
        around = Around(
            cluster=self.cluster,
            clock=self.clock,
            api=self.api,
            faults=self.faults,
            tell=self.tell,
            counts=self.counts,
            said_bound=self.said_bound,
        )
        return Member.of(name, around, self.parts, self.manner)

    def _note_what_is_late(self, scheduler: Scheduler) -> None:
        """Note what a scheduler should have given up by now."""
        now = self.clock.now()
        for key in overdue_bindings(scheduler, now):
            self.late.append(f"the binding of pod {key} should have been given up")
        for pod in overdue_in(self.cluster, now):
            self.late.append(f"pod {pod.key} should be assumed no longer")

    def _note_what_goes_on(self, scheduler: Scheduler) -> None:
        """Note what a scheduler should not do when it is closed."""
        for key in under_way(scheduler):
            self.late.append(f"the binding of pod {key} outlives its scheduler")
        if (outcome := scheduler.schedule_one()) is not None:
            self.late.append(f"a closed scheduler tries {outcome.pod.key}")

    def _member(self, at: int) -> Member:
        return self.members[at % len(self.members)]

    def _hang(self) -> None:
        """Let so much time pass that others find a binding overdue."""
        self.clock.advance(LATER)
        self.counts["hangs"] += 1
        for member in self.members:
            member.scheduler.keep_time()
        self.hear_all()

    def tell_outcome(self, outcome: Outcome | None) -> None:
        """Tell what became of an attempt."""
        if outcome is not None:
            victims = outcome.preemption.victims if outcome.preemption else ()
            self.counts[outcome.result] += 1
            self.counts["evicted"] += len(victims)
            evicted = " ".join(each.name for each in victims)
            self.tell(
                f"{outcome.pod.name} {outcome.result} {outcome.node} {outcome.message} {evicted}"
            )
