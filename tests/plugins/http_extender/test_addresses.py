"""Where requests go."""

import pytest

from kubesched.plugins.http_extender import ExtenderConfig
from kubesched.plugins.http_extender.addresses import escaped


@pytest.mark.parametrize(
    ("prefix", "verb", "url"),
    [
        ("http://h/sched", "filter", "http://h/sched/filter"),
        ("http://h/sched///", "filter", "http://h/sched/filter"),
        ("http://h", "filter", "http://h/filter"),
        ("http://h/sched", "/v1/filter/", "http://h/sched//v1/filter/"),
        ("http://h/a?x=1", "filter", "http://h/a?x=1/filter"),
        ("", "filter", "/filter"),
    ],
)
def test_a_verb_stands_behind_the_prefix(prefix: str, verb: str, url: str) -> None:
    assert ExtenderConfig(url_prefix=prefix).url_of(verb) == url


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        pytest.param("http://h/a;b,c/(d)!", "http://h/a;b,c/(d)!", id="what may stand there"),
        pytest.param("http://h/%2Fa%20", "http://h/%2Fa%20", id="what is escaped already"),
        pytest.param("http://h/a b/é|", "http://h/a%20b/%C3%A9%7C", id="what may not stand there"),
        pytest.param("http://h/(a b)%2F", "http://h/%28a%20b%29/", id="all anew, if anything"),
        pytest.param("http://h/a?b%zz c", "http://h/a?b%zz c", id="a query as it is"),
        pytest.param("http://h/a#b/filter", "http://h/a", id="no fragment"),
        pytest.param("http://u:p%40@h/a", "http://u:p%40@h/a", id="a user"),
    ],
)
def test_a_path_is_escaped_as_go_does_it(url: str, sent: str) -> None:
    assert escaped(url) == sent


def test_a_bad_escape_is_refused() -> None:
    with pytest.raises(ValueError, match="'100%/filter' has a percent sign"):
        escaped("http://h/100%/filter")


@pytest.mark.parametrize(("timeout", "seconds"), [(0, 5.0), (200_000_000, 0.2), (-1, None)])
def test_the_time_limit_is_in_nanoseconds(timeout: int, seconds: float | None) -> None:
    assert ExtenderConfig(http_timeout=timeout).seconds == seconds
