"""Known wrong answers to the steps about an engine for derivatives."""

from .. import mistake, wrong_choice, wrong_number

POWER, TANH = "steps.autograd.power_slope", "steps.autograd.tanh_slope"


@mistake(POWER, "the factor n is missing.")
def no_factor(a: float, n: float) -> float:
    return float(a ** (n - 1))


@mistake(POWER, "the exponent has not gone down by one.")
def not_lowered(a: float, n: float) -> float:
    return float(n * a**n)


@mistake(POWER, "the factor in front is n, the exponent before it goes down.")
def lowered_first(a: float, n: float) -> float:
    return float((n - 1) * a ** (n - 1))


@mistake(POWER, "that is the derivative to the exponent, were it the exponent that moves. Here a "
         "moves and n stays.")
def to_the_exponent(a: float, n: float) -> float:
    import math
    return float(a**n * math.log(a))


@mistake(POWER, "that raises the exponent and divides: the integral of aⁿ.")
def integral(a: float, n: float) -> float:
    return float(a ** (n + 1) / (n + 1))


@mistake(TANH, "t is to be squared: 1 − t².")
def not_squared(t: float) -> float:
    return 1 - t


@mistake(TANH, "that is the slope of the sigmoid. tanh runs from −1 to 1, and its slope at t = 0 "
         "is 1.")
def as_sigmoid(t: float) -> float:
    return t * (1 - t)


@mistake(TANH, "the slope falls as |t| grows: look at the ends of the curve, where it is flat.")
def plus(t: float) -> float:
    return 1 + t**2


@mistake(TANH, "1 is missing: at t = 0 the curve is steepest, with slope 1.")
def no_one(t: float) -> float:
    return -(t**2)


@mistake(TANH, "1 − tanh² is written with the result t already; tanh has been applied once more.")
def tanh_again(t: float) -> float:
    import math
    return 1 - math.tanh(t) ** 2


@mistake(TANH, "the sign is turned around: tanh rises everywhere.")
def turned(t: float) -> float:
    return t**2 - 1


TWICE = "steps.autograd.used_twice"
wrong_number(TWICE, 6, "that is the way through x · x. x is also added at the end, and that is a "
             "third way.")
wrong_number(TWICE, 4, "x stands twice in x · x, and each place brings its own 3.")
wrong_number(TWICE, 3, "that is one way of three. x is used at three places, and what comes along "
             "each adds up.")
wrong_number(TWICE, 1, "that is the last way alone. x is used at three places, and what comes "
             "along each adds up.")
wrong_number(TWICE, 12, "that is y. Its derivative to x is asked for.")
wrong_number(TWICE, 9, "that is x · x. Its derivative to x is asked for, and that of + x.")
CALLS = "steps.autograd.two_calls"
wrong_number(CALLS, 3, "that is the second call alone. w is a leaf, and a leaf keeps what it has.")
wrong_number(CALLS, 2, "that is the first call alone. The second adds to it.")
wrong_number(CALLS, 6, "what the calls bring is added, not multiplied.")
wrong_number(CALLS, 2.5, "what the calls bring is added, not averaged.")
wrong_number(CALLS, 10, "that is the sum of the results with w = 2. Their slopes to w are asked "
             "for: 2 and 3.")
ORDER = "steps.autograd.order"
wrong_choice(ORDER, "a", "that is an order for the way forwards. Backward begins at L.")
wrong_choice(ORDER, "b", "a comes before b here. But b is made from a, so a has not heard from b "
             "when it hands on what it has.")
wrong_choice(ORDER, "d", "L is the end of every way, so it is first; nothing has a gradient "
             "before it.")
