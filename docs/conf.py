"""How Sphinx builds the documentation."""

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

project = "kubesched"
author = "the kubesched developers"
_PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
version = release = tomllib.loads(_PYPROJECT.read_text("utf-8"))["project"]["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "changelog.d"]
html_theme = "furo"
html_title = f"kubesched {release}"

# `name` in a docstring is code, as it is in Markdown.
default_role = "code"
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

autodoc_default_options = {"members": True, "special-members": "__call__"}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
# What an `Attributes:` section lists is documented as a member too, and may be indexed only once.
napoleon_use_ivar = True

# The build needs no network, so the names of other libraries have no page to point to.
_OTHER_LIBRARIES = "|".join(
    [
        *sorted(sys.stdlib_module_names),
        "attr",
        "attrs",
        "cattrs",
        "hypothesis",
        "prometheus_client",
        "sortedcontainers",
    ]
)
# A type variable has no page either: the class or function that uses it says what it stands for.
_TYPE_VARIABLE = r"_?([A-Z]|[A-Z]\w*T)(_co|_contra)?"
# Nor has what the state machines for tests are made of inside.
_INSIDE_MACHINES = r"kubesched\.testing\.machines\.(cluster_world|loop)\..*"
nitpick_ignore_regex = [
    (r"py:.*", rf"({_OTHER_LIBRARIES})(\..*)?"),
    (r"py:.*", rf"(kubesched\.[\w.]+\.)?{_TYPE_VARIABLE}"),
    (r"py:.*", _INSIDE_MACHINES),
]

# What signatures say at length, and what they are to say instead.
_SHORTER = {
    r"frozenset\(\{Facet\.NODE, .*?\}\)": "frozenset(Facet)",
    r"= NOTHING": "= ...",
    r"= Ellipsis": "= ...",
    r"Words\(node_names=.*?numbers=\(.*?\)\)": "WORDS",
    # The page on testing says that each of these is a value, or a strategy that draws one.
    r"~hypothesis\.strategies\.SearchStrategy\[(.+?)\] \| \1( \| ~types\.EllipsisType)?": r"\1",
}


def setup(app: Any) -> None:
    """Tell Sphinx what to call."""
    app.connect("autodoc-process-signature", _tidy_signature)
    app.connect("autodoc-process-docstring", _drop_filler)


def _tidy_signature(
    _app: Any,
    _what: str,
    _name: str,
    documented: object,
    _options: Any,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """Leave out what says nothing: a Protocol's arguments, attrs' mark, all facets one by one."""
    if getattr(documented, "_is_protocol", False):
        return "", returns
    for long, short in _SHORTER.items():
        signature = re.sub(long, short, signature) if signature else signature
    return signature, returns


def _drop_filler(
    _app: Any, _what: str, _name: str, _documented: object, _options: Any, lines: list[str]
) -> None:
    """Drop what Python says of a `__call__` that says nothing of itself."""
    if lines[:1] == ["Call self as a function."]:
        lines.clear()
