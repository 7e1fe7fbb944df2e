"""What helps a learner: `%load_ext course` finds their minillm, fills it and checks it."""

import os
from typing import Any


def let_threads_sleep() -> None:
    """Let torch's threads sleep when they wait long for each other; call it before torch loads.

    GNU's OpenMP spins for long by default, which on a busy machine made a training step take six
    times as long as on one thread; with no spinning at all an idle machine gains nothing from the
    second thread. This many turns cost neither.
    """
    if "OMP_WAIT_POLICY" not in os.environ:  # somebody else's choice
        os.environ.setdefault("GOMP_SPINCOUNT", "10000")


def load_ipython_extension(shell: Any) -> None:
    """Set up a lesson: the package, `check`, the hooks that fill it, and short messages."""
    let_threads_sleep()
    from . import checks, fill, progress, workspace
    from .source import HOLE

    workspace.use(workspace.package_root())

    def short(shell: Any, kind: type, value: Any, trace: Any, tb_offset: Any = None) -> None:
        if HOLE in str(value):  # a hole: one line says all there is to say
            value._render_traceback_ = lambda: [f"✗ {value}"]
        shell.showtraceback((kind, value, trace), tb_offset=tb_offset)

    shell.set_custom_exc((NotImplementedError,), short)
    shell.push({"check": checks.check, "progress": progress.progress})
    shell.register_magic_function(fill.replace, "line", "replace")
    for event, hook in (("pre_run_cell", fill.before_cell), ("post_run_cell", fill.after_cell)):
        for old in [h for h in shell.events.callbacks[event] if h.__module__ == hook.__module__]:
            shell.events.unregister(event, old)  # loaded again: the hook runs once
        shell.events.register(event, hook)
