"""`kubesched simulate`: where would these pods go?"""

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import Final, ParamSpec, TypeVar, Unpack

import click
from rich.console import Console
from rich.progress import track

from kubesched.cli.output import FORMATS, Report
from kubesched.cli.rules import RuleOptions, rule_options, rules_of
from kubesched.errors import KubeschedError
from kubesched.manifests import Manifests, load_objects
from kubesched.model import Pod
from kubesched.simulate import Placement, simulate
from kubesched.state import Cluster

P = ParamSpec("P")
R = TypeVar("R")

SOME_NOT_PLACED: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130


def run() -> None:
    """Run the command line and end the process with its exit code."""
    try:
        code = commands.main(standalone_mode=False)
    except click.ClickException as problem:
        problem.show()
        code = BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    sys.exit(code)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="kubesched")
def commands() -> None:
    """Ask the kube-scheduler's algorithm about a cluster, without a cluster."""


def bad_input_ends_it(command: Callable[P, R]) -> Callable[P, R]:
    """Have what is wrong with the input end the command with its text instead of a traceback."""

    @wraps(command)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except (KubeschedError, OSError) as error:
            raise click.ClickException(str(error)) from error

    return guarded


@commands.command(
    "simulate",
    epilog="Example: kubectl get nodes,pods,services -A -o json | kubesched simulate -",
)
@click.argument("cluster")
@click.argument("pods", nargs=-1)
@click.option(
    "-o",
    "--output",
    type=click.Choice(list(FORMATS)),
    default="table",
    show_default=True,
    help="How to print the answer.",
)
@rule_options
@click.option(
    "--defaults/--no-defaults",
    default=True,
    show_default=True,
    help="Fill in what the API server would, such as requests from limits.",
)
@bad_input_ends_it
def simulate_command(
    *,
    cluster: str,
    pods: tuple[str, ...],
    output: str,
    defaults: bool,
    **rules: Unpack[RuleOptions],
) -> int:
    """Place the pending pods of CLUSTER, or those of the files PODS, and tell where each would go.

    CLUSTER is what kubectl prints, as JSON or YAML: a file, a folder of files, or - for standard
    input. PODS are manifests of pods, or of workloads that make pods; what is in CLUSTER already
    is replaced.

    The rules are those of a provider, a Policy or a scheduler's configuration. A configuration
    whose Policy is in a config map needs that as --policy, too.

    Exits with 0 if all pods were placed, 1 if some were not, 2 on bad input.
    """
    profile, name = rules_of(rules)
    state, asked = _load(cluster, pods, defaults=defaults)
    trial = simulate(Cluster.of(state), asked, profile=profile, scheduler_name=name)
    placements = list(_with_progress(trial))
    report = Report(placements, state.skipped)
    click.echo(FORMATS[output](report), nl=False)
    return 0 if report.placed == len(placements) else SOME_NOT_PLACED


def _load(
    cluster: str, pods: tuple[str, ...], *, defaults: bool
) -> tuple[Manifests, tuple[Pod, ...] | None]:
    """Return what makes up the cluster, and the pods that are asked about, if it is not its own."""
    known = load_objects(_source(cluster))
    more = load_objects(*map(_source, pods)).expanded() if pods else Manifests()
    together = known.overlaid_with(more)
    together = together.with_defaults() if defaults else together
    if not pods:
        return together, None
    split = len(together) - len(more)
    others = (each for each in together.objects[split:] if not isinstance(each, Pod))
    asked = tuple(each for each in together.objects[split:] if isinstance(each, Pod))
    return Manifests((*together.objects[:split], *others), together.skipped), asked


def _source(argument: str) -> str | Path:
    return argument if argument == "-" else Path(argument)


def _with_progress(placements: Iterable[Placement]) -> Iterator[Placement]:
    """Show on standard error how far it has come, if that is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from placements
        return
    yield from track(placements, "Placing pods", console=console, transient=True, total=None)
