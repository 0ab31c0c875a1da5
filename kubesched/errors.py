"""Every error that kubesched raises on purpose, in one tree.

Each is also the builtin that a caller would expect, carries its data as attributes, and says in its
text what was wrong, where, and what would have been right::

    KubeschedError
    ├── QuantityError (ValueError)            text that is not a Kubernetes quantity
    ├── SelectorError (ValueError)            a selector that cannot be evaluated
    ├── ManifestError (ValueError)            one or more faults in what was loaded
    ├── ConfigurationError (ValueError)       a scheduler's configuration that cannot be used
    │   └── PolicyError                       a Policy, or names of rules, that cannot be used
    ├── MissingExtraError (ImportError)       an optional dependency is not installed
    ├── UnknownNameError (LookupError)        a name that nobody registered
    ├── DuplicateNameError (ValueError)       a name that is taken
    ├── SpecError (TypeError)                 a predicate or priority that breaks the contract
    ├── OptionError (ValueError)              an option, weight or argument out of its range
    ├── ClusterError (ValueError)             a change that the cluster's state does not allow
    ├── RecordingError (ValueError)           a recording of decisions that cannot be read
    ├── DecisionsDifferError (AssertionError) decisions are not as recorded, or not the same
    ├── LawBrokenError (AssertionError)       a rule breaks a law
    ├── RegistryBrokenError (AssertionError)  rules of a registry break laws, or it breaks its own
    ├── PromiseBrokenError (AssertionError)   a queue, binder, extender or loop breaks a promise
    ├── LeaseError                            a lease for leadership cannot be read or written
    │   └── LeaseConflictError                somebody else was quicker to write it
    ├── DeposedError                          it was a leader's to do, and the term is over
    ├── LeaseOverdueError                     a leader neither renews its lease nor gives up
    └── SchedulingError                       an attempt that ended without a node
        ├── FitError                          no node fits
        ├── NoNodesAvailable                  there is no node at all
        ├── ClaimError                        a claim of the pod is missing or going away
        ├── EvaluationError                   predicates or priorities could not answer
        ├── UnusableClaimError                a claim of which a predicate can make nothing
        ├── MissingClaimError (LookupError)   a claim for which volumes are looked for is gone
        ├── MissingVolumeError (LookupError)  a claim is bound to a volume that does not exist
        ├── UnboundClaimsError                claims that should have been bound before their pod
        ├── BindingModeError (ValueError)     a class does not say when its claims are bound
        ├── ClaimSelectorError (ValueError)   a claim's selector cannot be evaluated
        ├── VolumeBindingError                volumes cannot be assumed or bound
        ├── DeletedPodError                   a pod that is being deleted
        ├── BindingTimeoutError (TimeoutError) a binding took too long
        └── ExtenderError                     an extender failed or answered out of shape

`FitError` and the three below it are in `kubesched.engine.errors`, `ManifestError` is in
`kubesched.manifests`, `ConfigurationError` and `PolicyError` in `kubesched.config`. Those about
claims are in `kubesched.plugins.volumes` and, from `MissingClaimError` on, in
`kubesched.plugins.volume_binding`; `VolumeBindingError` and the two below
it are in `kubesched.runtime`, as are those about leases and leaders. `RecordingError`,
`DecisionsDifferError` and those about what is broken are in `kubesched.testing`.
"""

from collections.abc import Iterable
from typing import Any, Final

_LONGEST: Final = 120
_MOST_BITS: Final = 384


class KubeschedError(Exception):
    """The root of the tree: catch it and you catch whatever kubesched raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy it as it is: `__init__` takes the data, not the text."""
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[KubeschedError], args: tuple[object, ...]) -> KubeschedError:
    """Make an error that has its text already, and start it as the builtin that it also is."""
    error = kind.__new__(kind, *args)
    super(KubeschedError, error).__init__(*args)
    return error


class QuantityError(KubeschedError, ValueError):
    """Text or a number that is not a Kubernetes quantity.

    Attributes:
        value: what was given.
    """

    def __init__(self, value: object, expected: str = "something like '16Gi' or '16G'") -> None:
        """Say which value it was and what a quantity looks like."""
        super().__init__(f"{_in_short(value)} is not a quantity (expected {expected})")
        self.value = value
        self.expected = expected


def _in_short(value: object) -> str:
    """Write a value as it is in code, cut where it gets too long for a message."""
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return f"an integer of {value.bit_length()} bits"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


class SelectorError(KubeschedError, ValueError):
    """A label or node selector that cannot be evaluated, such as one with an unknown operator."""


class MissingExtraError(KubeschedError, ImportError):
    """Something needs an optional dependency that is not installed.

    Attributes:
        extra: the extra to install, as in `pip install 'kubesched[EXTRA]'`.
    """

    def __init__(self, what: str, extra: str) -> None:
        """Say what needs the extra and how to install it."""
        super().__init__(f"{what} needs an extra: pip install 'kubesched[{extra}]'")
        self.extra = extra


class UnknownNameError(KubeschedError, LookupError):
    """A name that nobody registered.

    Attributes:
        kind: what kind of thing was looked for, such as "predicate".
        unknown: the name that was asked for.
        known: the names that exist, sorted.
        hint: the name that was probably meant, or else all that exist.
    """

    def __init__(self, kind: str, unknown: str, known: Iterable[str]) -> None:
        """Say which name it was and the one that was probably meant, or else all that exist."""
        self.kind = kind
        self.unknown = unknown
        self.known = tuple(sorted(known))
        self.hint = self._closest()
        super().__init__(f"{kind} {unknown!r} is not registered; {self.hint}")

    def _closest(self) -> str:
        from difflib import get_close_matches  # noqa: PLC0415 - seldom needed, and slow to import

        close = get_close_matches(self.unknown, self.known, n=1)
        if close:
            return f"did you mean {close[0]!r}?"
        return f"there are: {', '.join(self.known) or 'none'}"


class DuplicateNameError(KubeschedError, ValueError):
    """A name that is taken already.

    Attributes:
        kind: what kind of thing it names.
        taken: the name.
    """

    def __init__(self, kind: str, taken: str) -> None:
        """Say which name is taken."""
        super().__init__(f"{kind} {taken!r} is registered already")
        self.kind = kind
        self.taken = taken


class SpecError(KubeschedError, TypeError):
    """A predicate or priority that breaks the contract, by its shape or by an answer."""


class OptionError(KubeschedError, ValueError):
    """An option, weight or argument that is out of its range."""


class ClusterError(KubeschedError, ValueError):
    """A change that the cluster's state does not allow; the state is as it was before.

    Attributes:
        key: which object it was about, `namespace/name` or a bare name.
    """

    def __init__(self, key: str, why: str) -> None:
        """Say which object and why not."""
        super().__init__(f"{key}: {why}")
        self.key = key


class SchedulingError(KubeschedError):
    """An attempt to schedule a pod that ended without a node."""


class ExtenderError(SchedulingError):
    """An extender failed, or answered what cannot be used.

    Its text is the extender's own, as the original tells it; `extender` says whose.

    Attributes:
        extender: the extender's name.
    """

    def __init__(self, extender: str, text: str) -> None:
        """Say what the extender said."""
        super().__init__(text)
        self.extender = extender
