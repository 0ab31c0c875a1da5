"""The plugin for pytest, in real runs of it."""

import re
from xml.etree import ElementTree as ET

import pytest

import kubesched as ks

# A run in this process forgets afterwards what it was the first to import, and neither PyYAML nor
# whoever compares classes wants to have that imported twice.
import kubesched.manifests.yaml_reader
import kubesched.testing

pytest_plugins = ["pytester"]

BROKEN = """
import kubesched as ks
from kubesched.testing.broken import LawBrokenError
from kubesched.testing.situation import Situation


def broken(law="pure", name="n1", after=None):
    situation = Situation(ks.pod("web", cpu=2), [ks.node(name, labels={"rack": "r7"})])
    return LawBrokenError(
        law, "It changes nothing.", "RackIsOpen", situation, "it changed", after=after
    )
"""
TITLE = "RackIsOpen breaks the law 'pure' here"
FAILS = f"{BROKEN}\n\ndef test_it():\n    raise broken()\n"


def run(pytester: pytest.Pytester, code: str, *arguments: str) -> pytest.RunResult:
    pytester.makepyfile(test_rules=code)
    return pytester.runpytest_inprocess("-p", "no:randomly", *arguments)


def section_of(result: pytest.RunResult, title: str = TITLE) -> str:
    """Return what stands below a section's title, up to the next rule across the screen."""
    shown = result.stdout.str()
    pattern = rf"^-+ {re.escape(title)} -+\n(.*?)\n(?=[-=]{{4}})"
    found = re.search(pattern, shown, re.MULTILINE | re.DOTALL)
    assert found is not None, f"there is no section {title!r}"
    return found[1]


def test_a_broken_law_shows_a_manifest_that_can_be_copied(pytester: pytest.Pytester) -> None:
    manifest = section_of(run(pytester, FAILS))
    (pytester.path / "copied.yaml").write_text(manifest, "utf-8")
    web, node = ks.load_objects(pytester.path / "copied.yaml")
    assert web == ks.pod("web", cpu=2)
    assert node == ks.node("n1", labels={"rack": "r7"})


def test_the_report_shows_the_manifest_once(pytester: pytest.Pytester) -> None:
    shown = run(pytester, FAILS).stdout.str()
    assert shown.count("rack: r7") == 1
    assert "RackIsOpen breaks the law 'pure': It changes nothing." in shown
    assert "Here it changed." in shown


def test_what_became_of_it_is_shown_too(pytester: pytest.Pytester) -> None:
    code = f"{BROKEN}\n\ndef test_it():\n    raise broken(after=Situation(ks.pod('web', cpu=2)))\n"
    assert section_of(run(pytester, code)).endswith("#\n# Then:\n# Node n1 is gone.")


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            """
            def test_it():
                try:
                    raise broken()
                except AssertionError as error:
                    raise ValueError from error
            """,
            id="as a cause",
        ),
        pytest.param(
            """
            def test_it():
                raise ExceptionGroup("two", [ValueError(), ExceptionGroup("one", [broken()])])
            """,
            id="in a group",
        ),
        pytest.param(
            """
            import pytest

            @pytest.fixture
            def rule():
                raise broken()

            def test_it(rule):
                pass
            """,
            id="in a fixture",
        ),
        pytest.param(
            """
            import unittest

            class Test(unittest.TestCase):
                def test_it(self):
                    raise broken()
            """,
            id="in a test case of unittest",
        ),
        pytest.param(
            """
            def test_it(subtests):
                with subtests.test("one"):
                    raise broken()
            """,
            id="in a subtest",
        ),
        pytest.param(
            """
            from kubesched.testing.laws.registry import Breach, RegistryBrokenError

            def test_it():
                breaches = [Breach("A", "names", "…"), Breach("B", "pure", "…", broken())]
                raise RegistryBrokenError(breaches)
            """,
            id="in a registry",
        ),
    ],
)
def test_a_broken_law_is_found(pytester: pytest.Pytester, code: str) -> None:
    lines = [line.removeprefix(" " * 12) for line in code.splitlines()]
    result = run(pytester, BROKEN + "\n".join(lines))
    assert "rack: r7" in section_of(result)
    assert result.stdout.str().count("rack: r7") == 1


CHECKED = """
import kubesched as ks
from kubesched.testing import check_predicate

@ks.predicate("RackIsOpen", reads={ks.Facet.TAINTS})
def rack_is_open(pod, meta, node):
    closed = ks.Reason("closed", resolvable=False)
    return ks.Fit(closed) if node.labels.get("rack") == "r7" else ks.FITS

def test_it():
    check_predicate(rack_is_open)
"""


def test_what_a_check_has_found_is_shown_and_not_how(pytester: pytest.Pytester) -> None:
    result = run(pytester, CHECKED)
    assert "rack: r7" in section_of(result, "RackIsOpen breaks the law 'reads' here")
    result.stdout.fnmatch_lines([">       check_predicate(rack_is_open)", "E  *breaks the law*"])
    result.stdout.fnmatch_lines(["test_rules.py:*: LawBrokenError"])


DIFFER = """
import kubesched as ks
from kubesched.testing.differential import assert_same_decisions

def test_it():
    rack = {{"rack": "r7"}}
    cluster = ks.Cluster.of(ks.node(f"n{{n}}", labels=rack, cpu=n) for n in range(1, {nodes} + 1))
    profile = ks.Profile.default()
    assert_same_decisions(profile, ks.Profile(), cluster, [ks.pod("web", cpu=2)])
"""


def test_where_decisions_differ_is_shown(pytester: pytest.Pytester) -> None:
    result = run(pytester, DIFFER.format(nodes=1))
    assert "rack: r7" in section_of(result, "it differs here")
    assert result.stdout.str().count("rack: r7") == 1


def test_the_report_shows_how_the_test_came_to_it_and_not_how_the_library_did(
    pytester: pytest.Pytester,
) -> None:
    code, inside = DIFFER.format(nodes=1), "def assert_same_decisions("
    assert inside not in run(pytester, code).stdout.str()
    assert inside in run(pytester, code, "--full-trace").stdout.str()


def test_a_large_cluster_is_written_but_not_shown(pytester: pytest.Pytester) -> None:
    result = run(pytester, DIFFER.format(nodes=60), "--kubesched-dump=d")
    assert "rack: r7" not in result.stdout.str()
    assert (pytester.path / "d/test_rules.py-test_it.yaml").read_text().count("rack: r7") == 60


@pytest.mark.parametrize("style", ["long", "short", "native", "auto"])
def test_it_is_shown_in_each_style(pytester: pytest.Pytester, style: str) -> None:
    assert "rack: r7" in section_of(run(pytester, FAILS, f"--tb={style}", "--show-capture=no"))


def test_it_is_in_the_xml_of_junit(pytester: pytest.Pytester) -> None:
    run(pytester, FAILS, "--junit-xml=report.xml")
    report = ET.parse(pytester.path / "report.xml")  # noqa: S314 - pytest has just written it
    failure = report.find(".//failure")
    assert failure is not None
    assert "rack: r7" in (failure.text or "")


def test_no_other_failure_shows_anything(pytester: pytest.Pytester) -> None:
    result = run(pytester, f"{BROKEN}\n\ndef test_it():\n    assert 1 == 2\n", "--kubesched-dump=d")
    result.assert_outcomes(failed=1)
    assert "breaks the law" not in result.stdout.str()
    assert not (pytester.path / "d").exists()


def test_an_expected_failure_shows_and_writes_nothing(pytester: pytest.Pytester) -> None:
    code = FAILS.replace("def test_it", "import pytest\n\n@pytest.mark.xfail\ndef test_it")
    result = run(pytester, code, "--kubesched-dump=d")
    result.assert_outcomes(xfailed=1)
    assert "rack: r7" not in result.stdout.str()
    assert not (pytester.path / "d").exists()


# -- what is written down --------------------------------------------------------------------------


def dumped(pytester: pytest.Pytester, code: str) -> dict[str, str]:
    run(pytester, BROKEN + code, "--kubesched-dump", "broken/laws")
    return {
        path.name: path.read_text("utf-8")
        for path in sorted((pytester.path / "broken/laws").iterdir())
    }


def test_each_test_has_a_file_that_can_be_loaded(pytester: pytest.Pytester) -> None:
    files = dumped(
        pytester,
        """
def test_one():
    raise broken()

class TestMore:
    def test_two(self):
        raise broken(name="n2")
""",
    )
    assert list(files) == ["test_rules.py-TestMore-test_two.yaml", "test_rules.py-test_one.yaml"]
    for name, node in zip(files, ["n2", "n1"], strict=True):
        loaded = ks.load_objects(pytester.path / "broken/laws" / name)
        assert [each.name for each in loaded] == ["web", node]


def test_the_report_says_where_it_is_written(pytester: pytest.Pytester) -> None:
    result = run(pytester, FAILS, "--kubesched-dump=d")
    path = pytester.path / "d/test_rules.py-test_it.yaml"
    assert section_of(result, "kubesched") == f"The situation is written to {path}"


def test_each_situation_of_a_test_has_a_file(pytester: pytest.Pytester) -> None:
    files = dumped(
        pytester,
        """
def test_it(subtests):
    for name in ("n1", "n2", "n1"):
        with subtests.test(name=name):
            raise broken(name=name)
""",
    )
    assert list(files) == ["test_rules.py-test_it-2.yaml", "test_rules.py-test_it.yaml"]
    assert "name: n2" in files["test_rules.py-test_it-2.yaml"]


def test_tests_of_similar_names_have_files_of_their_own(pytester: pytest.Pytester) -> None:
    files = dumped(
        pytester,
        """
import pytest

@pytest.mark.parametrize("name", ["a/b", "a-b", "../" * 9, "x" * 300, "x" * 301])
def test_it(name):
    raise broken()
""",
    )
    assert len(files) == 5


def test_what_an_earlier_run_wrote_is_replaced(pytester: pytest.Pytester) -> None:
    once = dumped(pytester, "\ndef test_it():\n    raise broken()\n")
    assert dumped(pytester, "\ndef test_it():\n    raise broken()\n") == once


# -- what it costs ---------------------------------------------------------------------------------


def test_pytest_starts_without_kubesched_and_without_hypothesis(pytester: pytest.Pytester) -> None:
    code = """
import sys

def test_it(pytestconfig):
    assert pytestconfig.pluginmanager.has_plugin("kubesched")
    assert not {"kubesched", "hypothesis"} & set(sys.modules)
    assert False, "it fails, so that the plugin looks at it"
"""
    pytester.makepyfile(test_it=code)
    result = pytester.runpytest_subprocess("-p", "no:randomly")
    result.stdout.fnmatch_lines(["*it fails, so that the plugin looks at it*"])
    result.assert_outcomes(failed=1)


def test_the_plugin_can_be_left_out(pytester: pytest.Pytester) -> None:
    result = run(pytester, FAILS, "-p", "no:kubesched")
    assert TITLE not in result.stdout.str()
    assert "rack: r7" in result.stdout.str()
