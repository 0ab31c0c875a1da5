"""The limit on volumes that an environment sets."""

import logging

import pytest

from kubesched.plugins.volumes import KUBE_MAX_PD_VOLS, max_pd_volumes

READ = [
    pytest.param("40", 40, id="a number"),
    pytest.param("+7", 7, id="with a plus"),
    pytest.param("007", 7, id="with zeros in front"),
    pytest.param(str(2**63 - 1), 2**63 - 1, id="the largest"),
]
IGNORED = ["0", "-1", "many", "4.5", "1e3", " 4", "4 ", "4\n", "4_0", "0x10", "٤", str(2**63)]


@pytest.mark.parametrize(("value", "limit"), READ)
def test_a_limit_is_read(value: str, limit: int, caplog: pytest.LogCaptureFixture) -> None:
    assert max_pd_volumes({KUBE_MAX_PD_VOLS: value}) == limit
    assert not caplog.records


@pytest.mark.parametrize("value", [*IGNORED, "9" * 5000], ids=lambda value: repr(value)[:24])
def test_what_is_no_limit_is_ignored_with_a_warning(
    value: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert max_pd_volumes({KUBE_MAX_PD_VOLS: value}) is None
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.name == "kubesched.plugins.volumes"
    assert repr(value) in record.getMessage()


@pytest.mark.parametrize("environ", [{}, {KUBE_MAX_PD_VOLS: ""}, {"KUBE_MAX": "4"}], ids=repr)
def test_an_environment_that_says_nothing_sets_no_limit(
    environ: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    assert max_pd_volumes(environ) is None
    assert not caplog.records
