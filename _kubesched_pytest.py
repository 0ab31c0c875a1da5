"""What pytest loads at its start: it shows the situation in which a failed test breaks a law.

It stands beside the package, not in it: every run of pytest loads it, also those that have nothing
to do with kubesched, and the package takes hundreds of times as long to import. What it wants of
`kubesched.testing` it looks for among the modules that a test has imported already.
"""

import re
import sys
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import pytest

_LONGEST_NAME: Final = 150


class _Shown(NamedTuple):
    """A situation in which something is wrong.

    Attributes:
        title: what is wrong there.
        manifest: the situation.
        is_told: whether an error's text has it; it has not where the situation is large.
    """

    title: str
    manifest: str
    is_told: bool


_SHOWN: Final = pytest.StashKey[list[_Shown]]()
_DUMPED: Final = pytest.StashKey[dict[str, list[str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--kubesched-dump DIR`."""
    parser.getgroup("kubesched").addoption(
        "--kubesched-dump",
        metavar="DIR",
        help="write the situation in which a law is broken to DIR, as YAML, one file a test",
    )


@pytest.hookimpl(specname="pytest_runtest_makereport")
def pytest_kubesched_shorten_errors(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Take situations out of the texts of a test's errors, as the report is to show each once."""
    errors = _errors_in(call)
    shown = item.stash[_SHOWN] = list(_situations_of(errors))
    for error in errors if shown else ():
        text = short = str(error)
        for each in shown:
            short = short.replace(each.manifest, "")
        if short != text:
            error.args = (short.rstrip(),)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, Any]:
    """Add situations to a failed test's report, where they can be copied, and write them down."""
    report = yield
    for each in item.stash[_SHOWN] if report.failed else ():
        if each.is_told:
            _add_section(report, each.title, each.manifest)
        if item.config.getoption("kubesched_dump"):
            path = _dump(item, each.manifest)
            _add_section(report, "kubesched", f"The situation is written to {path}")
    return report


def _situations_of(errors: Sequence[BaseException]) -> Iterator[_Shown]:
    module = sys.modules.get("kubesched.testing.situation")
    if module is None:
        return
    for error in errors:
        situation = getattr(error, "situation", None)
        if isinstance(situation, module.Situation):
            manifest = getattr(error, "manifest", situation.manifest)().rstrip()
            yield _Shown(_title_of(error), manifest, manifest in str(error))


def _title_of(error: Any) -> str:
    has_law = hasattr(error, "rule") and hasattr(error, "law")
    return f"{error.rule} breaks the law {error.law!r} here" if has_law else "it differs here"


def _errors_in(call: pytest.CallInfo[None]) -> list[BaseException]:
    """Return what a test raised, its causes, and the members of groups and broken registries."""
    found: dict[int, BaseException] = {}
    waiting = [call.excinfo.value] if call.excinfo is not None else []
    while waiting:
        error = waiting.pop(0)
        if id(error) not in found:
            found[id(error)] = error
            waiting += filter(None, [*_members(error), error.__cause__, error.__context__])
    return list(found.values())


def _members(error: BaseException) -> Sequence[BaseException | None]:
    """Return what a group of errors, or the error of a registry, has gathered."""
    if isinstance(error, BaseExceptionGroup):
        return error.exceptions
    module = sys.modules.get("kubesched.testing.laws.registry")
    if module is not None and isinstance(error, module.RegistryBrokenError):
        return [breach.error for breach in error.breaches]
    return ()


def _add_section(report: pytest.TestReport, title: str, text: str) -> None:
    """Add a section where it is shown whatever `--show-capture` says, if there is such a place."""
    add = getattr(report.longrepr, "addsection", None)
    if add is None:
        report.sections.append((title, text))
    else:
        add(title, text)


def _dump(item: pytest.Item, manifest: str) -> Path:
    """Write a situation to the test's file; others of the same test get files of their own."""
    config = item.config
    written = config.stash.setdefault(_DUMPED, {}).setdefault(item.nodeid, [])
    if manifest not in written:
        written.append(manifest)
    number = written.index(manifest) + 1
    folder = Path(config.invocation_params.dir, config.getoption("kubesched_dump"))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{_name_for(item.nodeid)}{f'-{number}' if number > 1 else ''}.yaml"
    path.write_text(f"{manifest}\n", "utf-8")
    return path


def _name_for(test: str) -> str:
    """Return a name for the file of a test, as much like its own as a file's may be."""
    name = re.sub(r"[^\w.]+", "-", test).strip("-")
    if re.fullmatch(r"[\w./:]+", test) and len(name) <= _LONGEST_NAME:
        return name
    # Other tests may come down to the same name.
    return f"{name[:_LONGEST_NAME]}-{crc32(test.encode()):08x}"
