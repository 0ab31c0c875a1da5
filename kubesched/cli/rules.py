"""The options that say by which rules pods are placed."""

import os
from collections.abc import Callable
from functools import reduce
from typing import Any, Final, TypedDict, TypeVar

import click

from kubesched.config import (
    DEFAULT_PROVIDER,
    FeatureGates,
    Profile,
    SchedulerConfiguration,
    read_configuration,
    stock_registry,
)
from kubesched.runtime import DEFAULT_SCHEDULER

F = TypeVar("F", bound=Callable[..., Any])


class RuleOptions(TypedDict):
    """The values of the options, None where one is not given."""

    provider: str | None
    policy: str | None
    config: str | None
    feature_gates: str
    scheduler_name: str | None


_OPTIONS: Final = (
    click.option(
        "--provider",
        metavar="NAME",
        help=f"The algorithm provider whose rules decide.  [default: {DEFAULT_PROVIDER}]",
    ),
    click.option(
        "--policy",
        metavar="FILE",
        help="A Policy whose rules decide, or a config map that holds one.",
    ),
    click.option(
        "--config",
        metavar="FILE",
        help="A KubeSchedulerConfiguration that says where the rules come from.",
    ),
    click.option(
        "--feature-gates",
        metavar="NAME=BOOL,…",
        default="",
        help="Feature gates that are not as by default.",
    ),
    click.option(
        "--scheduler-name",
        metavar="NAME",
        help="The scheduler whose pods are placed; others are passed over.  "
        f"[default: {DEFAULT_SCHEDULER}]",
    ),
)


def rule_options(command: F) -> F:
    """Give a command the options of `RuleOptions`."""
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), command)


def rules_of(options: RuleOptions) -> tuple[Profile, str]:
    """Return the rules and the name of the scheduler.

    Raises:
        UsageError: options that exclude each other.
        KubeschedError: whatever is wrong with the files.
    """
    configuration = _configuration(options)
    gates = _gates(options["feature_gates"])
    registry = stock_registry(gates, os.environ)
    name = options["scheduler_name"] or configuration.scheduler_name
    policy = options["policy"]
    if policy is not None and not options["config"]:
        return Profile.from_policy(policy, registry=registry, gates=gates), name
    return configuration.profile(policy=policy, registry=registry, gates=gates), name


def _configuration(options: RuleOptions) -> SchedulerConfiguration:
    """Read the configuration, or make one of the other options."""
    if options["provider"] and (options["policy"] or options["config"]):
        raise click.UsageError("--provider stands by itself, without --policy and --config")
    if options["config"] is None:
        return SchedulerConfiguration(provider=options["provider"] or DEFAULT_PROVIDER)
    configuration = read_configuration(options["config"])
    if options["policy"] and not configuration.policy_config_map:
        raise click.UsageError("--policy goes with a --config that names a config map, or alone")
    return configuration


def _gates(text: str) -> FeatureGates:
    """Read feature gates as the original's flag takes them: `NAME=true,OTHER=false`."""
    gates = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, state = part.partition("=")
        if state.lower() not in {"true", "false"}:
            why = f"{part!r} is not like 'PodPriority=true'"
            raise click.BadParameter(why, param_hint="--feature-gates")
        gates[name] = state.lower() == "true"
    return FeatureGates.named(gates)
