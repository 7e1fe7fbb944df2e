"""Several processes that train one model: each takes its rows of every batch.

`torchrun --nproc-per-node 2 …` starts the same program twice and tells each its number (its rank)
and how many there are. Torch's DistributedDataParallel averages their gradients during backward, so
every process makes the same step and all keep the same weights.
"""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist

RUNS = itertools.count()  # groups opened by this program


@dataclass(frozen=True)
class Group:
    """The processes of a run: `size` of them, of which this is number `rank`."""

    rank: int = 0
    size: int = 1

    @property
    def first(self) -> bool:
        """Is this the one that evaluates, writes and shows?"""
        return self.rank == 0

    def wrap(self, model: torch.nn.Module, some_unused: bool = False) -> torch.nn.Module:
        """The model as it is, or one whose gradients are the mean over all processes.

        `some_unused`: parameters may get no gradient in a step, as experts without a token do.
        """
        if self.size == 1:
            return model
        return torch.nn.parallel.DistributedDataParallel(
            model, find_unused_parameters=some_unused)

    def rows(self, batch: torch.Tensor) -> torch.Tensor:
        """The rows of a batch [B, T] that are this process's, [B / size, T]."""
        return batch.chunk(self.size)[self.rank]

    def mean(self, value: float) -> float:
        """The mean of what all processes give; each has to call."""
        if self.size == 1:
            return value
        total = torch.tensor(value, dtype=torch.float64)
        dist.all_reduce(total)
        return float(total) / self.size

    def from_first(self, value: float) -> float:
        """What the first process gives, whatever the others do."""
        return self.mean(value * self.size if self.first else 0.0)


@contextmanager
def group() -> Iterator[Group]:
    """The processes that torchrun started, joined while inside; one process otherwise.

    The connection is closed before the interpreter ends: one that lives longer is torn down by its
    background threads at exit, which now and then aborts a program that had done all its work.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield Group()
        return
    ours = not dist.is_initialized()
    if ours:
        store, rank, size = next(dist.rendezvous("env://"))  # type: ignore[attr-defined]
        # the program's store outlives a group: what an earlier one left there is not for us
        store = dist.PrefixStore(f"run {next(RUNS)}", store)  # type: ignore[attr-defined]
        dist.init_process_group("gloo", store=store, rank=rank, world_size=size)
    try:
        yield Group(dist.get_rank(), dist.get_world_size())
        dist.barrier()  # nobody leaves while another still waits for an answer
    finally:
        if ours:
            dist.destroy_process_group()
