"""What torch holds for a whole process: an answer has to leave it as it found it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Settings:
    """Gradient mode and default dtype, as they are now.

    The random state is not among them: whoever draws a number changes it.
    """

    def __init__(self) -> None:
        self.torch = sys.modules.get("torch")  # an answer without tensors does not wait for it
        self.held = self.now()

    def now(self) -> tuple[Any, ...]:
        torch = self.torch
        return (torch.is_grad_enabled(), torch.get_default_dtype()) if torch else ()

    def set(self, gradients: bool, dtype: Any) -> None:
        if self.torch:
            self.torch.set_grad_enabled(gradients)
            self.torch.set_default_dtype(dtype)

    def put_back(self) -> str:
        """Say what has been changed since, '' for nothing, and put it back as it was."""
        found = self.now()
        if found == self.held:
            return ""
        self.set(*self.held)
        if found[0] == self.held[0]:
            return "the default dtype is another one for all that runs after it"
        return (f"gradients are switched {'on' if found[0] else 'off'} for all that runs after it; "
                "`with torch.no_grad():` ends by itself")


@contextmanager
def as_usual() -> Iterator[None]:
    """Run something with gradients and float32, and then leave all as it was found.

    So no check depends on what ran before it, and none takes numbers from a learner's seed.
    """
    settings = Settings()
    if not (torch := settings.torch):
        yield
        return
    state = torch.get_rng_state()
    settings.set(True, torch.float32)
    try:
        yield
    finally:
        settings.put_back()
        torch.set_rng_state(state)
