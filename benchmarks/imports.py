"""What importing minillm adds to importing torch, in processor time.

    OMP_NUM_THREADS=1 .venv/bin/python benchmarks/imports.py

Exits with 1 when it is more than 0.1 s, the median of five processes, or when `transformers` comes
along.
"""

import os
import subprocess
import sys
from statistics import median

import turns

LIMIT, ROUNDS = 0.1, 5
CODE = """
import sys, time
import torch
begin = time.process_time()
from minillm import fast, gpt, kv_cache, sampling, train
print(time.process_time() - begin, "transformers" in sys.modules)
"""


def main() -> int:
    env = {**os.environ, "PYTHONPATH": str(turns.ROOT / "solutions"), "PYTHONSAFEPATH": "1"}
    said = [subprocess.run([sys.executable, "-c", CODE], env=env, text=True, check=True,
                           stdout=subprocess.PIPE).stdout.split() for _ in range(ROUNDS)]
    seconds = [float(each[0]) for each in said]
    print(f"minillm after torch: {median(seconds):.3f} s "
          f"({min(seconds):.3f} … {max(seconds):.3f}), at most {LIMIT}")
    return int(median(seconds) > LIMIT or any(each[1] == "True" for each in said))


if __name__ == "__main__":
    sys.exit(main())
