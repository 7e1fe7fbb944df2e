"""Runs that are killed and go on, and runs of two processes; each in a process of its own."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RUN = """
import json, os, sys, time
import torch
torch.set_num_threads(1)
from minillm import config, gpt, train
todo, at, fields = json.loads(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
dropout = fields.pop("dropout", 0.1)

def ids(n=900):
    drawn = torch.randint(9, (n,), generator=torch.Generator().manual_seed(0))
    made = [3]
    for noise in drawn.tolist():
        made.append((3 * made[-1] + 1 + 5 * (noise == 0)) % 17)
    return torch.tensor(made)

def on_step(step, history):
    if step == at:
        print("here", flush=True)
        time.sleep(60)

for out, resume in todo:
    model = gpt.MiniGPT(config.GPTConfig(vocab_size=17, block_size=12, n_layer=2, n_head=2,
                                         d_model=16, dropout=dropout),
                        torch.Generator().manual_seed(1))
    setup = train.TrainConfig(**{"steps": 40, "batch_size": 4, "block_size": 10, "eval_every": 10,
                                 "eval_windows": 8, "seed": 3, **fields})
    history = train.train(model, ids()[:700], ids()[700:], setup, out=out, resume=resume,
                          on_step=on_step)
    if os.environ.get("RANK", "0") == "0":
        weights = {n: p.tolist() for n, p in model.named_parameters()}
        print(json.dumps([history.step, history.batch_loss, history.train_loss, history.val_loss,
                          history.lr, history.tokens, weights]))
"""


def command(folder: Path, *todo: tuple[str, bool], at: int = 0, before: tuple[str, ...] = (),
            **fields: Any) -> tuple[list[str], dict[str, str]]:
    """A process that makes these runs, each in its folder, new or resumed."""
    script = folder / "run.py"
    script.write_text(RUN, "utf-8")
    env = {**os.environ, "PYTHONPATH": str(ROOT / "solutions"), "OMP_NUM_THREADS": "1"}
    runs = json.dumps([(str(folder / name), resume) for name, resume in todo])
    return [sys.executable, *before, str(script), runs, str(at), json.dumps(fields)], env


def outcomes(folder: Path, *todo: tuple[str, bool], **settings: Any) -> list[Any]:
    line, env = command(folder, *todo, **settings)
    with subprocess.Popen(line, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          start_new_session=True) as process:
        try:
            said, wrong = process.communicate(timeout=240)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # those it has started, too
            raise
    assert process.returncode == 0, wrong
    return [json.loads(line) for line in said.splitlines() if line.startswith("[")]


@pytest.mark.parametrize("fields", [{}, {"fast": True, "optimizer": "muon"}], ids=str)
def test_killed_in_the_middle_and_resumed_it_is_the_same_run(
        tmp_path: Path, fields: dict[str, Any]) -> None:
    line, env = command(tmp_path, ("cut", False), at=27, **fields)
    with subprocess.Popen(line, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stdout.readline() == "here\n"
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    resumed, whole = outcomes(tmp_path, ("cut", True), ("whole", False), **fields)
    assert resumed == whole  # every loss and every weight, bit for bit
    cut = tmp_path / "cut"
    assert sorted(p.relative_to(cut).parts[0] for p in cut.glob("*/*")) == [
        "best"] * 2 + ["last"] * 3


def test_two_processes_make_the_same_curve(tmp_path: Path) -> None:
    [alone] = outcomes(tmp_path, ("alone", False), dropout=0.0)
    together = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    both, again = outcomes(
        tmp_path, ("both", False), ("both", True), dropout=0.0, before=together)
    assert both[0] == alone[0] and both[4:6] == alone[4:6]
    for a, b in zip(alone[1:4], both[1:4], strict=True):
        assert b == pytest.approx(a, rel=1e-5)
    assert again == both  # it was at its end: nothing is left to do
