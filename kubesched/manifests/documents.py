"""From text to documents: which parser a text is for, and what to say if it was for none."""

from collections.abc import Iterator

from attrs import evolve

from kubesched.errors import MissingExtraError
from kubesched.manifests.errors import Place
from kubesched.manifests.json_reader import read_json
from kubesched.manifests.sources import Report, Text
from kubesched.manifests.text import TextError

_JSON_SUFFIXES = {".json", ".jsonl"}
_YAML_SUFFIXES = {".yaml", ".yml"}


def documents(text: Text, report: Report) -> Iterator[tuple[Place, object]]:
    """Read the documents of a text, until it ends or cannot be read any further.

    Text that begins like JSON is tried as such, other text is YAML, unless its suffix says that it
    should be JSON. YAML may begin like JSON too; so what is not even one JSON document is tried as
    YAML, and if it is not YAML either, the suffix decides whose error is reported. Documents that
    are empty count, but are left out.
    """
    number = 0
    try:
        for number, document in enumerate(_parsed(text), 1):
            if document is not None:
                yield evolve(text.place, document=number), document
    except TextError as error:
        report(evolve(text.place, document=number + 1).problem(str(error)))


def _parsed(text: Text) -> Iterator[object]:
    if text.suffix in _JSON_SUFFIXES or not text.text.strip():
        return read_json(text.text)
    if text.text.lstrip().startswith(("{", "[")):
        return _json_or_yaml(text)
    return _read_yaml(text.text)


def _json_or_yaml(text: Text) -> Iterator[object]:
    found = read_json(text.text)
    try:
        first = next(found)
    except TextError as error:
        yield from _yaml_instead_of(text, error)
    else:
        yield first
        yield from found


def _yaml_instead_of(text: Text, json_error: TextError) -> Iterator[object]:
    found = _read_yaml(text.text)
    try:
        first = next(found)
    except (TextError, MissingExtraError):
        if text.suffix in _YAML_SUFFIXES:
            raise
        raise json_error from None
    else:
        yield first
        yield from found


def _read_yaml(text: str) -> Iterator[object]:
    """Import the reader when the first document is asked for, and not before."""
    try:
        from kubesched.manifests.yaml_reader import read_yaml  # noqa: PLC0415 - PyYAML is an extra
    except ImportError:
        raise MissingExtraError("reading YAML", "yaml") from None
    yield from read_yaml(text)
