"""The examples in the documentation, run, and what they print compared with what the pages show.

A `python` block is a doctest where it has prompts; otherwise it is executed, and what it prints is
the `text` block right behind it, if there is one. The blocks of a page share their names, and the
`test_…` functions among them are called. A `console` block holds `$ kubesched …` commands, each
with all that it prints, or with nothing where it only shows how the command is called; `$ echo $?`
tells the exit code of the last one. What cannot be run here is in a `sh` block.
"""

import doctest
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from kubesched.cli import main
from kubesched.cli.command import BAD_INPUT
from kubesched.testing.laws import running

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "examples/README.md", *sorted((ROOT / "docs").rglob("*.md")))
RUN = {"python", "console"}
SHOWN = {"sh", "text", "yaml", "json"}
DIRECTIVES = {"{eval-rst}", "{include}", "{toctree}"}

_FENCE = re.compile(
    r"^```(?P<language>\S*)[^\n]*\n(?P<text>.*?)^```$(?=\n+```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)


@frozen
class Block:
    """A fenced block of a page; `output` is the text of the `text` block right behind it."""

    page: Path
    line: int
    language: str
    text: str
    output: str | None

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page: Path) -> Iterator[Block]:
    content = page.read_text("utf-8")
    for fence in _FENCE.finditer(content):
        line = content.count("\n", 0, fence.start("text")) + 1
        yield Block(page, line, fence["language"], fence["text"], fence["output"])


def blocks_in(language: str) -> list[Block]:
    return [block for page in PAGES for block in blocks_of(page) if block.language == language]


PYTHON_PAGES = sorted({block.page for block in blocks_in("python")})


@pytest.fixture(autouse=True)
def _at_the_root_and_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(running, "EXAMPLES", 100)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_block_says_what_it_is(page: Path) -> None:
    assert {block.language for block in blocks_of(page)} <= RUN | SHOWN | DIRECTIVES
    assert page.read_text("utf-8").count("```") == 2 * len(list(blocks_of(page)))


@pytest.mark.usefixtures("without_chance")
@pytest.mark.parametrize("page", PYTHON_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_of_a_page_does_what_it_shows(page: Path) -> None:
    names: dict[str, Any] = {"__name__": "__page__"}
    for block in blocks_of(page):
        if block.language == "python":
            (check_session if ">>>" in block.text else check_program)(block, names)


def check_session(block: Block, names: dict[str, Any]) -> None:
    page = str(block.page)
    session = doctest.DocTestParser().get_doctest(block.text, {}, str(block), page, block.line - 1)
    session.globs = names
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(session, out=report.append, clear_globs=False)
    if result.failed:
        pytest.fail("".join(report), pytrace=False)


def check_program(block: Block, names: dict[str, Any]) -> None:
    program = compile("\n" * (block.line - 1) + block.text, str(block.page), "exec")
    before = dict(names)
    with redirect_stdout(StringIO()) as printed:
        exec(program, names)  # noqa: S102 - it is what the page shows
        for name, value in list(names.items()):
            if name.startswith("test_") and name not in before:
                value()
    if block.output is not None:
        assert printed.getvalue() == block.output, str(block)


@pytest.mark.parametrize("block", blocks_in("console"), ids=str)
def test_a_command_prints_what_is_shown(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    code = 0
    for command, shown in commands_of(block):
        if command == "echo $?":
            assert shown == f"{code}\n"
            continue
        code, printed = run(command, monkeypatch)
        if shown:
            assert printed == shown
        else:
            assert code < BAD_INPUT, printed


def commands_of(block: Block) -> Iterator[tuple[str, str]]:
    pieces = re.split(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)
    assert pieces[0] == "", f"{block}: a console block begins with a command"
    yield from zip(pieces[1::2], pieces[2::2], strict=True)


def run(command: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Run the command line in this process; return its exit code and all that it printed."""
    name, *arguments = shlex.split(command)
    assert name == "kubesched", f"{command}: what else can be run belongs in a sh block"
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    printed = StringIO()
    with redirect_stdout(printed), redirect_stderr(printed), pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code, printed.getvalue()
