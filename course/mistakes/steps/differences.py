"""Known wrong answers to the steps about difference quotients."""

from .. import mistake, wrong_number

ONE, BOTH = "steps.differences.forward_error", "steps.differences.central_error"


@mistake(ONE, "that is the quotient itself. Its error is what is left after f'(1) = 3 is taken "
         "away.")
def the_quotient(eps: float) -> float:
    return 3 + 3 * eps + eps**2


@mistake(ONE, "the difference is not divided by eps yet.")
def not_divided(eps: float) -> float:
    return 3 * eps**2 + eps**3


@mistake(ONE, "the term eps² is missing: (1 + eps)³ ends in + eps³.")
def first_term(eps: float) -> float:
    return 3 * eps


@mistake(ONE, "the term 3·eps is missing: (1 + eps)³ has 3·eps² in the middle.")
def last_term(eps: float) -> float:
    return eps**2


@mistake(ONE, "no error at all would need a straight line. Multiply (1 + eps)³ out.")
def none(eps: float) -> float:
    return 0.0


@mistake(ONE, "the sign is turned around: the error is the quotient minus 3.")
def turned(eps: float) -> float:
    return -3 * eps - eps**2


@mistake(BOTH, "that is the quotient itself. Its error is what is left after f'(1) = 3 is taken "
         "away.")
def the_central_quotient(eps: float) -> float:
    return 3 + eps**2


@mistake(BOTH, "this is the error of the one-sided quotient. In (1 + eps)³ − (1 − eps)³ the terms "
         "with eps² cancel.")
def as_one_sided(eps: float) -> float:
    return 3 * eps + eps**2


@mistake(BOTH, "the divisor is 2·eps and not eps.")
def divided_by_eps(eps: float) -> float:
    return 3 + 2 * eps**2


@mistake(BOTH, "2·eps³ divided by 2·eps is eps².")
def twice(eps: float) -> float:
    return 2 * eps**2


@mistake(BOTH, "the terms with eps² cancel, but those with eps³ add up: −(−eps³) is + eps³.")
def nothing(eps: float) -> float:
    return 0.0


@mistake(BOTH, "the sign is turned around: the error is the quotient minus 3.")
def central_turned(eps: float) -> float:
    return -(eps**2)


@mistake(ONE, "the difference is there, (1 + eps)³ − 1, but neither divided by eps nor is "
         "f'(1) = 3 taken away.")
def difference_alone(eps: float) -> float:
    return 3 * eps + 3 * eps**2 + eps**3


@mistake(ONE, "the term eps² is missing, and f'(1) = 3 has still to be taken away.")
def quotient_without_its_last_term(eps: float) -> float:
    return 3 + 3 * eps


@mistake(BOTH, "the difference is there, (1 + eps)³ − (1 − eps)³, but it is not divided by 2·eps "
         "yet.")
def central_difference_alone(eps: float) -> float:
    return 6 * eps + 2 * eps**3


@mistake(BOTH, "the term that is left is 2·eps³, with the factor 1 and not 3 in front of each "
         "cube.")
def three_of_them(eps: float) -> float:
    return 3 * eps**2


@mistake(BOTH, "that is half of the difference's last term. It is divided by eps as well.")
def not_divided_by_eps(eps: float) -> float:
    return eps**3


KINK = "steps.differences.at_the_kink"
wrong_number(KINK, 0, "that is the slope on the left, and what torch answers. The quotient looks "
             "at both sides: relu(eps) is eps and relu(−eps) is 0.")
wrong_number(KINK, 1, "that is the slope on the right. The quotient looks at both sides: "
             "relu(eps) is eps and relu(−eps) is 0, and the way is 2·eps.")
wrong_number(KINK, 2, "the way from −eps to eps is 2·eps: divide by it, do not multiply.")
