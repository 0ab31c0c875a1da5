"""What somebody is answered who asks whether all is well."""

import pytest

from kubesched.runtime import healthz


def ping() -> None:
    """Be well."""


def bad() -> None:
    raise TimeoutError("the secret lease ran out")


@pytest.mark.parametrize(
    ("answer", "status", "text"),
    [
        pytest.param(healthz({}), 200, "ok", id="nothing to check"),
        pytest.param(healthz({"ping": ping}), 200, "ok", id="all is well"),
        pytest.param(
            healthz({"ping": ping}, verbose=True),
            200,
            "[+]ping ok\nhealthz check passed\n",
            id="all is well, at length",
        ),
        pytest.param(
            healthz({"bad": bad, "ping": ping}),
            500,
            "[-]bad failed: reason withheld\n[+]ping ok\nhealthz check failed\n",
            id="one is not, and the others are asked all the same",
        ),
        pytest.param(
            healthz({"ping": ping, "bad": bad}, exclude=["bad"]), 200, "ok", id="that one excluded"
        ),
        pytest.param(
            healthz({"bad": bad}, exclude=["bad", "unknown"], verbose=True),
            200,
            "[+]bad excluded: ok\nhealthz check passed\n",
            id="excluded, at length",
        ),
        pytest.param(
            healthz({"ping": lambda: False}), 200, "ok", id="what is returned means nothing"
        ),
    ],
)
def test_answers(answer: tuple[int, str], status: int, text: str) -> None:
    assert answer == (status, text)


def test_what_is_wrong_stands_in_the_log_alone(caplog: pytest.LogCaptureFixture) -> None:
    answer = healthz({"bad": bad})
    assert "secret" not in answer.text
    assert caplog.messages == ["health check bad failed: the secret lease ran out"]
