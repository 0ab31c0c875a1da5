"""What can be wrong with a manifest, and the error that reports all of it at once."""

from collections.abc import Iterable
from typing import Any

from attrs import NOTHING, frozen

from kubesched.errors import KubeschedError
from kubesched.manifests.values import shown


@frozen(kw_only=True)
class Place:
    """Where something stands: the source, and how far into it as is known.

        >>> str(Place(source="cluster.yaml", document=3, item=(2,), object="Node worker-a1"))
        'cluster.yaml, document 3, item 2, Node worker-a1'

    Attributes:
        source: the file as it was named, `standard input`, or which argument it was.
        document: which document of the source, from 1; None if the source is not text.
        item: which item of a List or array, from 1; one number for each level of nesting.
        object: kind and name, such as `Node worker-a1`, as far as they are known.
    """

    source: str = ""
    document: int | None = None
    item: tuple[int, ...] = ()
    object: str = ""

    def __str__(self) -> str:
        document = f"document {self.document}" if self.document else ""
        item = f"item {'.'.join(map(str, self.item))}" if self.item else ""
        return ", ".join(filter(None, (self.source, document, item, self.object)))

    def problem(self, why: str, path: str = "", value: Any = NOTHING) -> "Problem":
        """Say what is wrong here."""
        return Problem(
            source=self.source,
            document=self.document,
            item=self.item,
            object=self.object,
            path=path,
            value=value,
            why=why,
        )


@frozen(kw_only=True)
class Problem(Place):
    """One thing that is wrong with what was loaded, and where.

        >>> place = Place(source="cluster.yaml", document=3, object="Node worker-a1")
        >>> print(place.problem("is not a boolean", "spec.unschedulable", "yes"))
        cluster.yaml, document 3, Node worker-a1: spec.unschedulable: 'yes' is not a boolean

    Attributes:
        path: the field in wire names, such as `spec.containers[0].ports[1].hostPort`.
        value: what stands there; `attrs.NOTHING` if it is not about a value.
        why: what is wrong with it, and what would have been right.
    """

    path: str = ""
    value: Any = NOTHING
    why: str

    def __str__(self) -> str:
        subject = f"{self.path}:" if self.path and self.value is not NOTHING else self.path
        value = "" if self.value is NOTHING else shown(self.value)
        what = " ".join(filter(None, (subject, value, self.why)))
        where = super().__str__()
        return f"{where}: {what}" if where else what


class ManifestError(KubeschedError, ValueError):
    """One or more problems with what was loaded, all of them reported at once.

        >>> error = ManifestError([Place(source="a.yaml").problem("cannot be read")] * 2)
        >>> print(error)
        2 problems:
          a.yaml: cannot be read
          a.yaml: cannot be read

    Attributes:
        problems: what is wrong, in the order of the sources; never empty.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Put the problems into words, a line each."""
        self.problems = tuple(problems)
        lines = [str(problem) for problem in self.problems]
        text = lines[0] if len(lines) == 1 else "\n  ".join([f"{len(lines)} problems:", *lines])
        super().__init__(text)
