"""What `import kubesched` brings with it, and what happens where an extra is missing."""

import subprocess
import sys
from importlib.metadata import distribution

import pytest

WITHOUT_EXTRAS = """
import sys
for extra in ("yaml", "click", "rich", "httpx", "httpcore", "hypothesis", "prometheus_client"):
    sys.modules[extra] = None
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - code of this file, on this Python
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )


def test_no_extra_is_imported() -> None:
    code = "import sys, kubesched; print(*sorted(sys.modules))"
    imported = set(run(code).stdout.split())
    assert "kubesched" in imported
    extras = {"yaml", "click", "rich", "httpx", "httpcore", "hypothesis", "prometheus_client"}
    assert not imported & extras


def test_without_any_extra_json_is_read_and_pods_are_placed() -> None:
    done = run(
        WITHOUT_EXTRAS
        + "import io, kubesched as ks\n"
        + "text = ks.dump([ks.node('worker-1'), ks.pod('web-1')])\n"
        + "print(*(each.node for each in ks.simulate(ks.load(io.StringIO(text)))))"
    )
    assert (done.stdout, done.stderr) == ("worker-1\n", "")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        pytest.param(
            "ks.load(__import__('io').StringIO('kind: Node'))",
            "reading YAML needs an extra: pip install 'kubesched[yaml]'",
            id="reading YAML",
        ),
        pytest.param(
            "ks.dump(ks.pod('web-1'), format='yaml')",
            "writing YAML needs an extra: pip install 'kubesched[yaml]'",
            id="writing YAML",
        ),
        pytest.param(
            "from kubesched.cli import main; main()",
            "the command line needs an extra: pip install 'kubesched[cli]'",
            id="the command line",
        ),
        pytest.param(
            "ks.Profile.from_policy({'extenders': [{'urlPrefix': 'http://h'}]})",
            "an extender over HTTP needs an extra: pip install 'kubesched[http]'",
            id="extenders over HTTP",
        ),
        pytest.param(
            "import kubesched.runtime.metrics.prometheus",
            "showing metrics to Prometheus needs an extra: pip install 'kubesched[metrics]'",
            id="metrics for Prometheus",
        ),
        pytest.param(
            "import kubesched.testing",
            "kubesched.testing needs an extra: pip install 'kubesched[testing]'",
            id="strategies and laws",
        ),
        pytest.param(
            "del sys.modules['hypothesis']\nimport kubesched.testing",
            "kubesched.testing needs an extra: pip install 'kubesched[testing]'",
            id="strategies and laws, of which PyYAML alone is missing",
        ),
    ],
)
def test_what_needs_an_extra_says_which(code: str, said: str) -> None:
    done = run(f"{WITHOUT_EXTRAS}import kubesched as ks\n{code}")
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith(said)


def test_the_distribution_says_that_it_is_typed() -> None:
    classifiers = distribution("kubesched").metadata.get_all("Classifier", [])
    assert "Typing :: Typed" in classifiers
