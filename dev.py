#!/usr/bin/env python3
"""Set up and run everything, with Python 3.11 or later and nothing else.

    python3 dev.py demo [ARGUMENT ...]   places the pods of examples/cluster.yaml
    python3 dev.py test                  style, types, floors and documentation, then the tests
    python3 dev.py bench                 the benchmarks

The arguments of `demo` go to `kubesched simulate`. What is installed goes to the folders .venv and
.tox beside this file and stays there: the second time is quick. Both can be deleted at any time.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - the line for those who have an older one
    sys.exit(f"kubesched needs Python 3.11 or later; {sys.executable} is {sys.version.split()[0]}.")

import hashlib
import os
import subprocess
import tomllib
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PYPROJECT = ROOT / "pyproject.toml"
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
CHECKS = "lint,types,floors,docs"


def main(arguments: list[str]) -> int:
    """Run the command that the first argument names; the exit code is the command's."""
    commands = {"demo": demo, "test": test, "bench": bench}
    command = commands.get(arguments[0]) if arguments else None
    if command is None:
        print(__doc__)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    return command(arguments[1:])


def demo(arguments: list[str]) -> int:
    """Install kubesched with its command line and place the pods of the example cluster."""
    install("--editable", ".[cli]")
    return call(BIN / "kubesched", "simulate", "examples/cluster.yaml", *arguments)


def test(arguments: list[str]) -> int:
    """Run every check, then the tests on the Python that runs this."""
    # The tests come last, so that their summary is what one sees.
    return tox(f"{CHECKS},py", arguments)


def bench(arguments: list[str]) -> int:
    """Run the benchmarks."""
    return tox("bench", arguments)


def tox(environments: str, arguments: list[str]) -> int:
    """Run tox on these environments; `arguments` go to pytest."""
    install(*tomllib.loads(PYPROJECT.read_text("utf-8"))["tool"]["tox"]["requires"])
    return call(BIN / "python", "-m", "tox", "run", "-e", environments, "--", *arguments)


def install(*requirements: str) -> None:
    """Install into .venv, unless these requirements are there from an earlier run."""
    make_environment()
    note = VENV / f"dev-{fingerprint(*requirements)}"
    if note.exists():
        return
    print("Installing", *requirements, flush=True)
    if call(BIN / "python", "-m", "pip", "install", "-qq", *requirements) != 0:
        sys.exit("pip could not install that; its reason is above.")
    note.touch()


def make_environment() -> None:
    """Create .venv, unless there is one that works."""
    if runs("import sys, pip; sys.exit(sys.version_info < (3, 11))"):
        return
    if not (find_spec("venv") and find_spec("ensurepip")):
        sys.exit(
            f"{sys.executable} cannot make virtual environments: venv or ensurepip is missing.\n"
            "On Debian and Ubuntu: apt install python3-venv"
        )
    print("Creating", VENV, flush=True)
    if call(sys.executable, "-m", "venv", "--clear", VENV) != 0:
        sys.exit("venv could not do that; its reason is above.")


def runs(code: str) -> bool:
    """Whether the environment's Python exists and ends this code well."""
    try:
        done = subprocess.run([BIN / "python", "-c", code], check=False, capture_output=True)
    except OSError:
        return False
    return done.returncode == 0


def fingerprint(*requirements: str) -> str:
    """Differ wherever an installation would: by what is asked for, what it needs, and the place."""
    said = [*requirements, PYPROJECT.read_text("utf-8"), str(ROOT)]
    return hashlib.sha256("\0".join(said).encode()).hexdigest()[:16]


def call(*command: str | Path) -> int:
    """Run a command from the repository's root and return its exit code."""
    return subprocess.call(command, cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
