"""An answer that switches torch's settings is told so, and nothing that runs after it is hurt."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from course import checks
from course.scenarios import See, gradient


@pytest.fixture(autouse=True)
def unharmed() -> Iterator[None]:
    yield
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)


def doubled(x: torch.Tensor) -> torch.Tensor:
    return 2 * x


def without_gradients(x: torch.Tensor) -> torch.Tensor:
    y = 2 * x
    torch.set_grad_enabled(False)
    return y


def with_another_dtype(x: torch.Tensor) -> torch.Tensor:
    torch.set_default_dtype(torch.float64)
    return 2 * x


def seeded(x: torch.Tensor) -> torch.Tensor:
    torch.manual_seed(0)
    return 2 * x


def refusing(x: torch.Tensor) -> torch.Tensor:
    torch.set_grad_enabled(False)
    raise ValueError("refused")


def scenario(f: Callable[..., Any], see: See) -> None:
    x = torch.ones(2)
    see("twice x", f, x)
    see("slope", gradient(f), x, x)


def observed(answer: Any) -> dict[str, Any]:
    return checks.observe("a.doubled", answer, {"a.doubled": scenario}).values


@pytest.mark.parametrize(("answer", "said"), [
    (without_gradients, "gradients are switched off"),
    (with_another_dtype, "the default dtype is another one")])
def test_settings_that_are_left_changed(answer: Any, said: str) -> None:
    for value in observed(answer).values():
        assert value["error"] == "changed torch's settings" and said in value["text"]
    assert torch.is_grad_enabled() and torch.get_default_dtype() == torch.float32


def test_the_next_answer_is_not_hurt() -> None:
    for before in (refusing, without_gradients, with_another_dtype):
        observed(before)
        assert [v["data"] for v in observed(doubled).values()] == [[2.0, 2.0]] * 2


def test_what_a_learner_has_set_stays_and_does_not_matter() -> None:
    torch.set_grad_enabled(False)
    torch.set_default_dtype(torch.float64)
    seen = observed(doubled)
    assert [v["data"] for v in seen.values()] == [[2.0, 2.0]] * 2
    assert seen["twice x"]["dtype"] == "float32"
    assert not torch.is_grad_enabled() and torch.get_default_dtype() == torch.float64


def test_a_check_takes_no_random_numbers_from_the_learner() -> None:
    torch.manual_seed(5)
    right = torch.rand(3)
    torch.manual_seed(5)
    assert "error" not in observed(seeded)["twice x"]
    assert torch.equal(torch.rand(3), right)
