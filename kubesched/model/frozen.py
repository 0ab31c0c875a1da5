"""What the models are made of: their base, a read-only mapping, converters that freeze."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Never, TypeVar, cast

from attrs import Attribute, AttrsInstance, Factory, fields

from kubesched.quantity import Quantity

K = TypeVar("K")
V = TypeVar("V")


class FrozenMap(dict[K, V]):
    """A dict that cannot be changed, so that it can be shared, hashed, pickled and trusted.

    It is a dict underneath because the models are read far more often than they are made: looking
    up a label costs what a plain dict costs. The hash is that of its items, O(n).

        >>> labels = FrozenMap({"app": "web"})
        >>> labels["app"]
        'web'
        >>> labels["app"] = "db"
        Traceback (most recent call last):
            ...
        TypeError: a FrozenMap cannot be changed
        >>> labels == {"app": "web"}
        True
    """

    __slots__ = ()

    def _refuse(self, *_args: object, **_kwargs: object) -> Never:
        msg = "a FrozenMap cannot be changed"
        raise TypeError(msg)

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        """Hash the items, whatever their order."""
        return hash(frozenset(self.items()))

    def __copy__(self) -> "FrozenMap[K, V]":
        """Return itself: what cannot change need not be copied."""
        return self

    def __deepcopy__(self, _memo: object) -> "FrozenMap[K, V]":
        """Return itself: what cannot change need not be copied."""
        return self

    def __reduce__(self) -> tuple[type["FrozenMap[K, V]"], tuple[dict[K, V]]]:
        """Pickle as the constructor called with a plain dict."""
        return FrozenMap, (dict(self),)


class _ReprForPrinters:
    """The `_repr_pretty_` of IPython and Hypothesis: a model is told as by `repr`.

    Not every attribute on a line of its own. Hypothesis also asks a class that is among the values
    drawn, as if it were an instance; older ones hand the instance to what they find in its class.
    """

    def __get__(self, instance: object, owner: type | None = None) -> Callable[..., None]:
        def tell(*arguments: Any) -> None:
            *asked, printer, _cycle = arguments
            printer.text(repr(asked[0] if asked else told))

        told = owner if instance is None else instance
        return tell


class Model:
    """What all models have: a `repr` that tells what is set, and leaves out what is as by default.

    >>> from kubesched.model import Taint
    >>> Taint(key="dedicated", effect="NoSchedule")
    Taint(key='dedicated', effect='NoSchedule')
    """

    __slots__ = ()

    def __repr__(self) -> str:
        attributes = fields(cast("type[AttrsInstance]", type(self)))
        values = ((each, getattr(self, each.name)) for each in attributes)
        told = (f"{each.name}={value!r}" for each, value in values if value != _default_of(each))
        return f"{type(self).__name__}({', '.join(told)})"

    _repr_pretty_ = _ReprForPrinters()


def _default_of(attribute: "Attribute[Any]") -> Any:
    default = attribute.default
    return default.factory() if isinstance(default, _FACTORY) else default


_FACTORY: Final[Any] = type(Factory(dict))


# The converters are not generic, because mypy's attrs plugin cannot solve a converter's TypeVar.


def frozen_map(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Freeze a mapping; one that is frozen already is taken as it is."""
    return value if type(value) is FrozenMap else FrozenMap(value)


def string_map(value: Mapping[str, str]) -> Mapping[str, str]:
    """Freeze a mapping of texts to texts, such as labels."""
    return frozen_map(value)


def optional_string_map(value: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """Freeze a mapping of texts to texts, or leave it absent."""
    return None if value is None else frozen_map(value)


def frozen_tuple(value: Iterable[Any]) -> tuple[Any, ...]:
    """Freeze a sequence."""
    return tuple(value)


def resource_list(value: Mapping[str, Quantity | str | int]) -> Mapping[str, Quantity]:
    """Freeze a mapping of resource names to quantities, which may be given as text.

    >>> resource_list({"cpu": "500m"})["cpu"].milli_value()
    500
    """
    if type(value) is FrozenMap and all(type(amount) is Quantity for amount in value.values()):
        return value
    return FrozenMap({name: Quantity.parse(amount) for name, amount in value.items()})
