"""Containers, and what of them is the host's."""

from collections.abc import Iterable, Mapping
from typing import Final

from hypothesis import strategies as st

from kubesched import builders
from kubesched.builders import Amount
from kubesched.model import Container, ContainerPort
from kubesched.testing.strategies.drawing import Drawn, made, said, some
from kubesched.testing.strategies.quantities import amounts_of, resource_lists
from kubesched.testing.words import WORDS, Words

_PORTS: Final = ("80", "90", "80/UDP", "10.0.0.1:80", "0.0.0.0:80", "10.0.0.2:80")
_LAST_PORT: Final = 65535


def container_ports(*, words: Words = WORDS) -> st.SearchStrategy[ContainerPort]:
    """Draw ports, some of which are not the host's.

    >>> from hypothesis import find
    >>> find(container_ports(), lambda port: port.host_port > 0).host_port
    80
    """
    ports = map(builders.host_port, _host_ports(words))
    return st.sampled_from([ContainerPort(container_port=80), *ports])


def _host_ports(words: Words) -> tuple[str | int, ...]:
    others = (number for number in words.numbers if 0 < number <= _LAST_PORT)
    return (*_PORTS, *others)


def containers(  # noqa: PLR0913 - each keyword is one field of a manifest
    *,
    name: Drawn[str] = "main",
    image: Drawn[str] = ...,
    cpu: Drawn[Amount | None] = ...,
    memory: Drawn[Amount | None] = ...,
    requests: Drawn[Mapping[str, Amount]] = ...,
    limits: Drawn[Mapping[str, Amount]] = ...,
    host_ports: Drawn[Iterable[str | int]] = ...,
    words: Words = WORDS,
) -> st.SearchStrategy[Container]:
    """Draw containers; each keyword is one of `kubesched.container`, a value or a strategy.

    >>> from hypothesis import find
    >>> find(containers(), lambda it: it.resources.requests).resources.requests
    {'cpu': Quantity('1')}
    """
    others = [each for each in words.resources if each not in {"cpu", "memory"}]
    cpus, memories = amounts_of("cpu", words=words), amounts_of("memory", words=words)
    return made(
        builders.container,
        {
            "name": said(name, st.just("main")),
            # Examples shrink to what is drawn last, and cpu is what readers expect.
            "memory": said(memory, st.none() | memories),
            "cpu": said(cpu, st.none() | cpus),
        },
        {"image": image, "requests": requests, "limits": limits, "host_ports": host_ports},
        {
            "image": st.sampled_from(words.images),
            "requests": resource_lists(resources=others, max_size=2, words=words),
            "limits": resource_lists(max_size=2, words=words),
            "host_ports": some(_host_ports(words), least=1, most=2),
        },
        most=2,
    )
