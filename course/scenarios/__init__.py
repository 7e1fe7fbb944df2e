"""How an answer is tried: a scenario calls `see(what, function, *inputs)` once for each input."""

import copy
import importlib
import linecache
import pkgutil
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..settings import Settings
from ..values import REFUSALS, Value, plain

Scenario = Callable[[Any, "See"], None]
SCENARIOS: dict[str, Scenario] = {}
FRACTION = 1e-6  # tolerance of single numbers that are not whole: float32 holds seven digits


def register(scenarios: dict[str, Scenario], target: str) -> Callable[[Scenario], Scenario]:
    def keep(function: Scenario) -> Scenario:
        if target in scenarios:
            raise ValueError(f"{function.__module__}: {target} has two scenarios")
        scenarios[target] = function
        return function

    return keep


def scenario(target: str) -> Callable[[Scenario], Scenario]:
    """Register the scenario of one exercise, such as `functional.softmax`."""
    return register(SCENARIOS, target)


def load(target: str, package: str = __name__) -> None:
    """Import the file, or the folder of files, that holds a target's scenario, if there is one."""
    module = f"{package}.{target.rpartition('.')[0]}"
    try:
        found = importlib.import_module(module)
        for each in pkgutil.iter_modules(getattr(found, "__path__", ())):
            importlib.import_module(f"{module}.{each.name}")
    except ModuleNotFoundError as error:
        if error.name != module and not module.startswith(f"{error.name}."):
            raise


def place(error: BaseException) -> str:
    """Where in the learner's own code an error came up: the deepest line of a notebook cell."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if "ipykernel" in frame.filename or frame.filename.startswith("<"):
            line = linecache.getline(frame.filename, frame.lineno or 0).strip()
            return f"line {frame.lineno} of the cell" + (f": {line}" if line else "")
    return ""


def failure(error: BaseException) -> Value:
    """An error as a value; one derived from a way to refuse says from which ("is")."""
    value = {"error": type(error).__name__, "text": str(error), "at": place(error)}
    bases = [k.__name__ for k in type(error).__mro__ if k.__name__ in REFUSALS]
    unfinished = isinstance(error, NotImplementedError | RecursionError)  # RuntimeErrors in Python
    if bases and value["error"] not in REFUSALS and not unfinished:
        value["is"] = bases[0]
    return value


def pick(result: Any, part: str, position: int, count: int) -> Any:
    """One part of a result: by name from a mapping, by attribute, else by position."""
    if isinstance(result, Mapping):
        return result[part]
    if hasattr(result, part) and not hasattr(result, "dtype"):  # tensor.cos is no part of it
        return getattr(result, part)
    if not hasattr(result, "__getitem__") or isinstance(result, str):
        raise TypeError(f"{count} results are asked for, and one {type(result).__name__} came")
    if len(result) != count:
        raise TypeError(f"{count} results are asked for, and {len(result)} came")
    return result[position]


def in_a_row(answer: Any) -> Any:
    """The numbers of a matrix of one row or one column, in a list; anything else as it is."""
    shape = getattr(answer, "shape", ())
    if len(shape) == 2 and 1 in shape:
        return [number for line in answer.tolist() for number in line]
    return answer


class See:
    """Collects named observations, with the tolerance and the property each is compared by.

    Attributes: `values` by name; `tolerance` by name; `derive` by name, the function of
    `course.scenarios.derive` that the comparer applies first; `kind`, what a step asks for.
    """

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self.tolerance: dict[str, float] = {}
        self.derive: dict[str, str] = {}
        self.kind = "values"

    def __call__(self, what: str, function: Callable[..., Any], *inputs: Any, tol: float = 1e-9,
                 parts: Sequence[str] = (), derive: str | None = None, **keywords: Any) -> None:
        """Call `function` and keep what it gives, or raises, under `what` (`what`: part).

        Arrays go in as copies, so that an answer which works in place spoils nothing else.
        """
        # tensors by deepcopy: `clone` would write out an expanded view
        inputs = tuple((copy.deepcopy if hasattr(i, "clone") else copy.copy)(i) for i in inputs)
        before = [plain(i) for i in inputs if hasattr(i, "shape")]
        settings = Settings()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # text on stderr would spoil a grade
                result = copy.copy(function(*inputs, **keywords))
            changed = before != [plain(i) for i in inputs if hasattr(i, "shape")]
        except Exception as error:
            settings.put_back()
            for name in self._names(what, parts):
                self._keep(name, failure(error), tol, derive)
            return
        left_changed = settings.put_back()
        for at, name in enumerate(self._names(what, parts)):
            try:
                if len(parts) > 1 and hasattr(result, "detach"):  # its rows are no results
                    raise TypeError(f"{len(parts)} results are asked for, and one tensor came")
                seen = plain(pick(result, parts[at], at, len(parts)) if parts else result)
            except Exception as error:
                seen = failure(error)
            if changed:
                seen = {"error": "changed its input", "text": "work on a copy, not in place"}
            elif left_changed:
                seen = {"error": "changed torch's settings", "text": left_changed}
            self._keep(name, seen, tol, derive)

    @staticmethod
    def _names(what: str, parts: Sequence[str]) -> list[str]:
        return [f"{what}: {part}" for part in parts] or [what]

    def _keep(self, what: str, seen: Value, tol: float, derive: str | None) -> None:
        if what in self.values:
            raise ValueError(f"two observations are called {what!r}")
        if seen.get("dtype") == "number" and not seen["data"][0].is_integer():
            tol = max(tol, FRACTION)
        self.values[what], self.tolerance[what] = seen, tol
        if derive:
            self.derive[what] = derive


def choice(see: See, answer: Any) -> None:
    """A letter, however it is written."""
    see.kind = "choice"
    see("your choice", lambda: answer.strip().lower() if isinstance(answer, str) else answer)


def held(answer: Any, wanted: str) -> Any:
    """An answer as it is, without autograd's books. Raises TypeError for text, never evaluated."""
    if isinstance(answer, str):
        raise TypeError(f"{answer!r} is a string; write {wanted}")
    return answer.detach() if hasattr(answer, "detach") else answer


def number(see: See, answer: Any, tol: float = FRACTION) -> None:
    """A number in any form that `float` takes, or alone in a list or an array, as NumPy gives it.

    A string is not evaluated.
    """
    see.kind = "number"

    def value() -> float:
        import numpy as np
        flat = np.asarray(held(answer, "the number itself"), dtype=object).reshape(-1)
        if len(flat) != 1:
            raise ValueError(f"{len(flat)} numbers, and one is asked for: is a sum still to be "
                             "taken?")
        return float(flat[0])

    see("your number", value, tol=tol)


def array(see: See, answer: Any, flat: bool = False, tol: float = FRACTION) -> None:
    """Numbers in any nesting that NumPy reads; with `flat` a vector, written in any direction."""
    see.kind = "array"

    def value() -> Any:
        import numpy as np
        numbers = held(answer, "the numbers themselves, in a list")
        try:
            found = np.asarray(numbers, dtype=float)
        except ValueError as error:
            if "inhomogeneous" in str(error):
                raise ValueError("the rows are not equally long") from None
            raise
        return found.reshape(-1) if flat else found

    see("your numbers", value, tol=tol)


def expression(see: See, answer: Any, points: Sequence[Mapping[str, Any]], tol: float = FRACTION,
               ) -> None:
    """A Python function of its symbols, or a sympy object over symbols of those names."""
    see.kind = "expression"
    for point in points:
        at = ", ".join(f"{k} = {shortly(v)}" for k, v in point.items())
        see(f"your expression at {at}", lambda p=point: evaluate(answer, p), tol=tol)


def expression_at(see: See, answer: Any, names: str, *points: Sequence[Any]) -> None:
    """An expression at points that are given as tuples, in the order of `names`.

    A whole number stands where the symbol is one, so that `range(n)` works.
    """
    expression(see, answer, [dict(zip(names.split(), at, strict=True)) for at in points])


def intermediate(see: See, answer: Any, *names: str, tol: float = FRACTION) -> None:
    """Several named numbers or arrays, as a mapping by name or a sequence in this order."""
    see.kind = "intermediate"
    for at, name in enumerate(names):
        see(f"your {name}", lambda at=at, name=name: pick(answer, name, at, len(names)), tol=tol)
    see("sum of all your numbers", lambda: sum(
        float(x) for value in (answer.values() if isinstance(answer, Mapping) else answer)
        for x in plain(value)["data"]), tol=tol)


def shortly(value: Any) -> str:
    return str(value.tolist()) if hasattr(value, "tolist") else str(value)


def evaluate(answer: Any, point: Mapping[str, Any]) -> Any:
    """The value of an expression at one point, as a float or an array."""
    answer = held(answer, "a function, or an expression of symbols")
    # a sympy Lambda is called as a function is; its own symbols are not free
    if hasattr(answer, "free_symbols") and not hasattr(answer, "signature"):
        if getattr(answer, "shape", ()) == (1, 1):  # qᵀ R k, as sympy leaves it
            answer = answer[0]
        known = {s: point[s.name] for s in answer.free_symbols if s.name in point}
        missing = sorted(s.name for s in answer.free_symbols if s.name not in point)
        if missing:
            names = ", ".join(point)
            raise NameError(f"the expression uses {', '.join(missing)}; it may use {names}")
        value = answer.subs(known)
        return complex(value).real if not value.is_real else float(value)
    if not callable(answer):
        return answer
    value = answer(*point.values())
    if value is None:
        return None  # a function without `return`, and the advice knows it
    return value if getattr(value, "shape", ()) else float(value)


def gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    """The gradient that autograd takes through `function`: of (x, grad of the result, …), to x."""

    def slope(x: Any, grad: Any, *more: Any, **keywords: Any) -> Any:
        import torch
        leaf = x.detach().clone().requires_grad_()
        return torch.autograd.grad(function(leaf, *more, **keywords), leaf, grad)[0]

    return slope


def choice_steps(*targets: str) -> None:
    """Register steps that ask for a letter."""
    for target in targets:
        register(SCENARIOS, target)(lambda answer, see: choice(see, answer))


def number_steps(*targets: str, tol: float = FRACTION) -> None:
    """Register steps that ask for a number."""
    for target in targets:
        register(SCENARIOS, target)(lambda answer, see: number(see, answer, tol))


def array_steps(*targets: str, flat: bool = False) -> None:
    """Register steps that ask for a matrix, or with `flat` for a vector."""
    for target in targets:
        register(SCENARIOS, target)(lambda answer, see: array(see, answer, flat))
