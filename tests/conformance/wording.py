"""Errors of extenders: which words of a recorded one matter, and which are only Go's."""

from collections.abc import Iterator, Mapping
from typing import Final

from tests.conformance.recordings import Json

_OWN_TEXTS: Final = ("Failed ", "extender: ", "preempt verb is not", "Unexpected empty bindVerb")
"""How those errors begin whose text is the scheduler's own."""


def words_that_matter(recorded: str, *answers: Json) -> str | None:
    """Return the text that ours has to be, or None if any text will do.

    Args:
        recorded: the recorded text.
        answers: what extenders answered, as it was recorded. An error of theirs is to be passed on
            as they sent it; in the original it goes through a formatter, which takes `%` for more
            than it is.
    """
    sent = [text for answer in answers for text in _errors_in(answer)]
    for text in sent:
        if text == recorded or ("%" in text and _begin_alike(text, recorded)):
            return text
    return recorded if recorded.startswith(_OWN_TEXTS) else None


def _errors_in(answer: Json) -> Iterator[str]:
    said = answer.get("json")
    if isinstance(said, Mapping):
        for key, text in said.items():
            if key.lower() == "error" and isinstance(text, str) and text:
                yield text


def _begin_alike(sent: str, recorded: str) -> bool:
    return recorded.startswith(sent.partition("%")[0])
