"""`make experiments`."""

import argparse
import subprocess
import sys
from pathlib import Path

import torch

from . import __doc__ as about
from .results import measure, same, stored, write
from .runs import TABLES, runs


def main() -> None:
    """Run what is missing, one table after another; each run is kept as soon as it is done."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("tables", nargs="*", default=TABLES, help=f"of {', '.join(TABLES)}")
    parser.add_argument("--all", action="store_true", help="also those that are stored")
    options = parser.parse_args()
    torch.set_num_threads(1)
    state = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    for table in options.tables:
        wanted = [run for run in runs() if run.table == table]
        old = [] if options.all else stored(table)
        results = []
        for at, run in enumerate(wanted):
            kept = [r for r in old if same(r, run)]
            result = kept[0] if kept else measure(run)
            results.append(result)
            if not kept:
                rest = [r for later in wanted[at + 1:] for r in old if same(r, later)]
                write(table, results + rest, state.stdout.strip())
                print(f"{table}: {run.name}, seed {run.seed}: {result['bits_per_byte']:.3f} bits "
                      f"per byte, {result['cpu_seconds']:.0f} CPU-seconds", flush=True)
        write(table, results, state.stdout.strip())


if __name__ == "__main__":
    if (solutions := Path(__file__).resolve().parents[2] / "solutions").is_dir():
        sys.path.insert(0, str(solutions))
    main()
