"""The objects that the cluster keeps as they are: services, claims, classes and so on."""

from typing import Any, TypeVar, cast

from attrs import define, field

from kubesched.errors import ClusterError
from kubesched.model import KubeObject
from kubesched.state.facets import FACET_OF_KIND
from kubesched.state.generations import Generations
from kubesched.state.table import Table, TableView

T = TypeVar("T", bound=KubeObject)


def _tables() -> dict[type[KubeObject], Table[str, Any]]:
    return {kind: Table() for kind in FACET_OF_KIND}


@define(eq=False)
class ObjectBook:
    """A table for each kind, by key."""

    _generations: Generations
    _tables: dict[type[KubeObject], Table[str, Any]] = field(factory=_tables)

    def add(self, added: KubeObject) -> None:
        """Add an object.

        Raises:
            ClusterError: it is there already, or of a kind that is not kept.
        """
        table = self._table(type(added))
        if added.key in table:
            raise ClusterError(added.key, f"the {added.kind} is there already")
        table[added.key] = added
        self._generations.moved(FACET_OF_KIND[type(added)])

    def update(self, updated: KubeObject) -> KubeObject:
        """Replace an object, and return what it was.

        Raises:
            ClusterError: it is not there, or of a kind that is not kept.
        """
        before = self._known(updated)
        self._table(type(updated))[updated.key] = updated
        self._generations.moved(FACET_OF_KIND[type(updated)])
        return before

    def remove(self, removed: KubeObject) -> KubeObject:
        """Take an object out, and return what it was.

        Raises:
            ClusterError: it is not there, or of a kind that is not kept.
        """
        before = self._known(removed)
        del self._table(type(removed))[removed.key]
        self._generations.moved(FACET_OF_KIND[type(removed)])
        return before

    def view(self, kind: type[T]) -> TableView[str, T]:
        """Return all objects of a kind, as they are now."""
        return cast("TableView[str, T]", self._table(kind).view())

    def views(self) -> dict[type[KubeObject], TableView[str, Any]]:
        """Return all objects of all kinds, as they are now."""
        return {kind: table.view() for kind, table in self._tables.items()}

    def copy(self, generations: Generations) -> "ObjectBook":
        """Return a book of its own, which counts with these generations."""
        return ObjectBook(generations, {kind: it.copy() for kind, it in self._tables.items()})

    def _table(self, kind: type[KubeObject]) -> Table[str, Any]:
        if kind not in self._tables:
            raise ClusterError(kind.__name__, "a cluster keeps no objects of this kind")
        return self._tables[kind]

    def _known(self, wanted: KubeObject) -> KubeObject:
        known: KubeObject | None = self._table(type(wanted)).get(wanted.key)
        if known is None:
            raise ClusterError(wanted.key, f"the {wanted.kind} is not there")
        return known

    def _check(self) -> None:
        """Assert that each object is in the table of its kind, by its key."""
        for kind, table in self._tables.items():
            table._check()  # noqa: SLF001
            assert all(type(each) is kind for each in table.values())
            assert [each.key for each in table.values()] == list(table.keys())
