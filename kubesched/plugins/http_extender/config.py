"""How to reach an extender over HTTP, and what to ask it.

Source: kubernetes v1.12.2, pkg/scheduler/api/v1/types.go, ExtenderConfig.
"""

from collections.abc import Iterable
from typing import Final

from attrs import field, frozen

DEFAULT_TIMEOUT: Final = 5_000_000_000
"""Nanoseconds that a call may take where nothing else is said."""


@frozen(kw_only=True)
class ManagedResource:
    """An extended resource that an extender sees to.

    Attributes:
        name: the resource's name.
        ignored_by_scheduler: whether PodFitsResources leaves it to the extender.
    """

    name: str = ""
    ignored_by_scheduler: bool = False


@frozen(kw_only=True)
class TLSConfig:
    """How to speak TLS with an extender.

    What is given as data is PEM in base64, and comes before the file of the same use.

    Attributes:
        insecure: whether the extender's certificate is taken whatever it is.
        server_name: the name that the certificate must be for, if it is not the address's.
        cert_file: our own certificate.
        key_file: the key of our own certificate.
        ca_file: the certificates that may have signed the extender's, in place of the system's.
        cert_data: as `cert_file`.
        key_data: as `key_file`.
        ca_data: as `ca_file`.

    Source: kubernetes v1.12.2, k8s.io/client-go/rest/config.go, TLSClientConfig.
    """

    insecure: bool = False
    server_name: str = ""
    cert_file: str = ""
    key_file: str = ""
    ca_file: str = ""
    cert_data: str = ""
    key_data: str = ""
    ca_data: str = ""


def _resources(resources: Iterable[ManagedResource]) -> tuple[ManagedResource, ...]:
    return tuple(resources)


@frozen(kw_only=True)
class ExtenderConfig:
    """An extender's entry in a Policy.

    An empty verb means that the extender has no part in that.

    Attributes:
        url_prefix: where it is; a verb is appended behind a slash. It also names the extender.
        filter_verb: under which it keeps some of the nodes.
        preempt_verb: under which it has a say in who is evicted.
        prioritize_verb: under which it scores nodes.
        weight: how often its scores count, above 0 if it scores.
        bind_verb: under which it binds pods.
        enable_https: whether the extender's certificate is taken whatever it is, unless
            `tls_config` says who may have signed it. Whether TLS is spoken, the prefix says.
        tls_config: how to speak TLS.
        http_timeout: nanoseconds that a call may take in all; 0 stands for 5 seconds, and less than
            0 for no limit.
        node_cache_capable: whether it knows the nodes itself, so that their names are enough.
        managed_resources: if there are any, it is asked only about pods that name one of them.
        ignorable: whether an attempt goes on without it if it fails.
    """

    url_prefix: str = ""
    filter_verb: str = ""
    preempt_verb: str = ""
    prioritize_verb: str = ""
    weight: int = 0
    bind_verb: str = ""
    enable_https: bool = False
    tls_config: TLSConfig | None = None
    http_timeout: int = 0
    node_cache_capable: bool = False
    managed_resources: tuple[ManagedResource, ...] = field(default=(), converter=_resources)
    ignorable: bool = False

    @property
    def seconds(self) -> float | None:
        """How long a call may take; None for no limit."""
        nanoseconds = self.http_timeout or DEFAULT_TIMEOUT
        return None if nanoseconds < 0 else nanoseconds / 1e9

    def url_of(self, verb: str) -> str:
        """Return the address of a verb.

        >>> ExtenderConfig(url_prefix="http://127.0.0.1/sched//").url_of("filter")
        'http://127.0.0.1/sched/filter'
        """
        return f"{self.url_prefix.rstrip('/')}/{verb}"
