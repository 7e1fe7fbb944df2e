"""What a learner's own runs have come to: the two last tasks of lesson 17.

Nothing here is graded. A run takes minutes, and what a machine does in them is no measure of what
somebody has understood; but whoever made one may ask whether it is what was asked for.
"""

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from . import experiments, finale, workspace

GOAL = 2.5  # nats per character: where the source note's checklist wants a run to end
NEAR = 0.5  # nats: how far the first loss of a healthy model may be from ln V
LIKE = "4 heads"  # the stored runs that an experiment is compared with


def goal(run: Any, vocab_size: int | None = None, below: float = GOAL) -> str:
    """Did a run come from ln V to below `below` nats a token of held-out text? In one line.

    `run`: a History and the number of tokens that its model knows, or the folder of a run, as
    `minillm train --out` or `train.train(out=...)` leaves it.
    """
    if isinstance(run, str | Path):
        folder = Path(run)  # a terminal of Lab names it from the working copy
        vocab_size, run = read(folder if folder.exists() else workspace.package_root() / folder)
    if vocab_size is None or not run.step:
        return "✗ nothing has been evaluated yet"
    first, guess = run.batch_loss[0], math.log(vocab_size)  # before any step
    began = f"began at {first:.2f} nats per character, ln V = {guess:.2f}"
    if run.step[0] != 1:
        return f"✗ the first steps are missing: the oldest entry is of step {run.step[0]}"
    if abs(first - guess) > NEAR:
        return f"✗ {began}: something is wrong before any training; see *The first loss*"
    passed = next((i for i, loss in enumerate(run.val_loss) if loss < below), None)
    if passed is None:
        step, loss = run.best
        return f"✗ {began}; the best is {loss:.2f} at step {step}, not below {below}: go on"
    return (f"✓ {began}; {run.val_loss[passed]:.2f} at step {run.step[passed]:,}, after "
            f"{run.seconds[passed]:.0f} s; the best is {run.best[1]:.2f}")


def read(folder: Path) -> tuple[int, Any]:
    """The number of tokens and the History of the run in a folder."""
    from minillm import checkpoint
    from minillm.recipe import History

    last = folder / "last" if (folder / "last").is_dir() else folder
    manifest = checkpoint.read_manifest(last)
    return manifest["config"]["vocab_size"], History(**manifest["history"])


def changes(run: experiments.Run) -> dict[str, tuple[Any, Any]]:
    """What is different in a run from the stored ones with four heads: {setting: (there, here)}."""
    from minillm.config import GPTConfig
    from minillm.recipe import TrainConfig

    like = next(r for r in experiments.runs() if r.name == LIKE)
    models = [asdict(GPTConfig(vocab_size=2, **r.model)) for r in (like, run)]
    trainings = [asdict(TrainConfig(**r.training)) for r in (like, run)]
    return {name: (there[name], here[name]) for there, here in (models, trainings)
            for name in there if there[name] != here[name]}


def experiment(model: dict[str, Any], training: dict[str, Any], seed: int = 0) -> str:
    """Run one experiment of the learner's own and say what it shows, beside the stored runs.

    `model`, `training`: what is to be different in the settings. One thing at a time.
    """
    run = experiments.Run("own", "own", seed, {**experiments.SMALL, **model},
                          {**experiments.TRAINED, **training})
    if not (found := changes(run)):
        return "nothing is changed yet"
    if len(found) > 1:
        return f"✗ changed: {', '.join(found)}. Change one thing, or you can't say what it was."
    if finale.short():
        return "✗ not run: this notebook is in its short mode"
    return verdict(found, experiments.measure(run)["bits_per_byte"])


def verdict(changed: dict[str, tuple[Any, Any]], bits: float) -> str:
    """One result in bits per byte against those of the stored seeds."""
    stored = [r["bits_per_byte"] for r in experiments.stored("heads") if r["name"] == LIKE]
    mean, deviation = experiments.spread(stored)
    (name, (there, here)), = changed.items()
    if min(stored) <= bits <= max(stored):
        said = "it lies among the three seeds, so this run shows no difference"
    else:
        far = abs(bits - mean) / deviation
        what = "more seeds have to show it" if far < 3 else "seeds alone do not differ as much"
        said = f"{'better' if bits < mean else 'worse'} by {far:.1f} standard deviations; {what}"
    return (f"✓ {name}: {there} → {here}: {bits:.3f} bits per byte beside {mean:.3f} ± "
            f"{deviation:.3f}: {said}")
