"""How the steps about a mixture of experts are tried."""

from typing import Any

from .. import See, array, choice_steps, expression_at, number_steps, scenario

choice_steps("steps.experts.same_weights", "steps.experts.top_one", "steps.experts.through",
             "steps.experts.leak")
number_steps("steps.experts.mixtral_held", "steps.experts.mixtral_used",
             "steps.experts.mixtral_memory", tol=2e-3)
number_steps("steps.experts.balanced", "steps.experts.capacity")


@scenario("steps.experts.dropped")
def dropped(answer: Any, see: See) -> None:
    array(see, in_rising_order(answer), flat=True)


def in_rising_order(answer: Any) -> Any:
    """The same tokens however they are listed; what is no list of numbers as it is."""
    try:
        return answer if isinstance(answer, str) else sorted(float(token) for token in answer)
    except (TypeError, ValueError):
        return answer


@scenario("steps.experts.held")
def held(answer: Any, see: See) -> None:
    expression_at(see, answer, "D F E", (4, 10, 3), (6, 16, 8), (5, 7, 1))


@scenario("steps.experts.used")
def used(answer: Any, see: See) -> None:
    expression_at(see, answer, "D F E k", (4, 10, 3, 1), (6, 16, 8, 2), (5, 7, 9, 4))


@scenario("steps.experts.by_hand")
def by_hand(answer: Any, see: See) -> None:
    array(see, answer, tol=2.5e-3)


@scenario("steps.experts.collapsed")
def collapsed(answer: Any, see: See) -> None:
    expression_at(see, answer, "E", (3,), (8,))


@scenario("steps.experts.balance_slope")
def balance_slope(answer: Any, see: See) -> None:
    expression_at(see, answer, "E N p f m", (4, 10, 0.3, 0.5, 0.2), (3, 7, 0.6, 0.1, 0.35),
                  (8, 5, 0.2, 0.4, 0.25))


@scenario("steps.experts.traffic")
def traffic(answer: Any, see: See) -> None:
    expression_at(see, answer, "D k", (5, 2), (7, 3), (12, 1))
