"""What can be wrong with a configuration, all of it reported at once."""

from collections.abc import Iterable

from kubesched.errors import KubeschedError
from kubesched.manifests import Problem


class ConfigurationError(KubeschedError, ValueError):
    """A configuration that cannot be used.

    Attributes:
        errors: what is wrong, in the order of the fields; never empty.
    """

    def __init__(self, errors: Iterable[Problem]) -> None:
        """Put the errors into words, a line each."""
        self.errors = tuple(errors)
        lines = [str(error) for error in self.errors]
        text = lines[0] if len(lines) == 1 else "\n  ".join([f"{len(lines)} errors:", *lines])
        super().__init__(text)


class PolicyError(ConfigurationError):
    """A Policy, or a list of names of rules, that cannot be used.

    >>> from kubesched.config import Profile
    >>> heavy = {"name": "LeastRequestedPriority", "weight": -1}
    >>> try:
    ...     Profile.from_policy({"predicates": [{"name": "HostNam"}], "priorities": [heavy]})
    ... except PolicyError as error:
    ...     for each in error.errors:
    ...         print(each.path, "|", each.why)
    predicates[0].name | is not registered; did you mean 'HostName'?
    priorities[0].weight | is out of range (expected above 0 and below 922337203685477580)
    """
