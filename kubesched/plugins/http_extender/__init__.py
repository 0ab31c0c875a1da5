"""Extenders that are asked over HTTP, as a Policy lists them.

>>> from kubesched.plugins.http_extender import ExtenderConfig, http_extender
>>> here = ExtenderConfig(url_prefix="http://127.0.0.1:8888/sched", filter_verb="filter")
>>> http_extender(here).name
'http://127.0.0.1:8888/sched'
"""

from kubesched.errors import MissingExtraError
from kubesched.framework import Extender
from kubesched.plugins.http_extender.config import ExtenderConfig, ManagedResource, TLSConfig

__all__ = ["ExtenderConfig", "ManagedResource", "TLSConfig", "http_extender"]


def http_extender(config: ExtenderConfig) -> Extender:
    """Return the extender that a Policy's entry describes; nobody is asked yet.

    It needs the extra `http`. It can be used from several threads at once.

    Raises:
        MissingExtraError: the extra is not installed.
        OptionError: it scores and has no weight above 0, or the files for TLS cannot be used.

    Source: kubernetes v1.12.2, pkg/scheduler/core/extender.go, NewHTTPExtender.
    """
    try:
        from kubesched.plugins.http_extender.client import (  # noqa: PLC0415 - httpx is an extra
            HTTPExtender,
        )
    except ModuleNotFoundError as missing:
        if missing.name not in {"httpx", "httpcore"}:
            raise
        raise MissingExtraError("an extender over HTTP", "http") from None
    client = HTTPExtender.of(config)
    return Extender(
        config.url_prefix,
        filter=client.filter if config.filter_verb else None,
        prioritize=client.prioritize if config.prioritize_verb else None,
        weight=config.weight if config.prioritize_verb else 1,
        preempt=client.preempt if config.preempt_verb else None,
        bind=client.bind if config.bind_verb else None,
        managed_resources=(resource.name for resource in config.managed_resources),
        ignorable=config.ignorable,
        blocks=True,
    )
