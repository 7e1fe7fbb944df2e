"""Known wrong answers to decay groups."""

from collections.abc import Iterable
from typing import Any

import torch

from .. import edit, mistake

GROUPS = "optim.decay_groups"

edit(GROUPS, "all_decay", '"weight_decay": 0.0}', '"weight_decay": weight_decay}',
     "both groups decay. Biases and the gains of norms get 0.")
edit(GROUPS, "nothing_decays", '"weight_decay": weight_decay}', '"weight_decay": 0.0}',
     "nothing decays: the first group gets the weight_decay that is asked for.")


@mistake(GROUPS, "the groups are turned around: matrices decay, vectors do not.")
def turned(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    params = list(params)
    return [{"params": [p for p in params if p.ndim < 2], "weight_decay": weight_decay},
            {"params": [p for p in params if p.ndim >= 2], "weight_decay": 0.0}]


@mistake(GROUPS, "only tensors of exactly two dimensions decay. A filter with three is a weight "
         "too: two or more.")
def exactly_two(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    params = list(params)
    return [{"params": [p for p in params if p.ndim == 2], "weight_decay": weight_decay},
            {"params": [p for p in params if p.ndim != 2], "weight_decay": 0.0}]


@mistake(GROUPS, "matrices have two dimensions, and they are left out: you ask for more than two.")
def more_than_two(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    params = list(params)
    return [{"params": [p for p in params if p.ndim > 2], "weight_decay": weight_decay},
            {"params": [p for p in params if p.ndim <= 2], "weight_decay": 0.0}]


@mistake(GROUPS, "a tensor without dimensions is in neither group, and one that is not handed on "
         "is never trained. Everything but matrices belongs to the second.")
def only_vectors(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    params = list(params)
    return [{"params": [p for p in params if p.ndim >= 2], "weight_decay": weight_decay},
            {"params": [p for p in params if p.ndim == 1], "weight_decay": 0.0}]


@mistake(GROUPS, "tensors of three dimensions are in neither group: the second is for all others.")
def two_and_one(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    params = list(params)
    return [{"params": [p for p in params if p.ndim == 2], "weight_decay": weight_decay},
            {"params": [p for p in params if p.ndim < 2], "weight_decay": 0.0}]


edit(GROUPS, "generator_used_twice", "    params = list(params)\n", "",
     "a generator can be walked only once: the second group is empty. Make a list of it first.")


@mistake(GROUPS, "vectors decay as well: a bias has one dimension. Two or more is the rule.")
def vectors_too(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    params = list(params)
    return [{"params": [p for p in params if p.ndim >= 1], "weight_decay": weight_decay},
            {"params": [p for p in params if p.ndim < 1], "weight_decay": 0.0}]


@mistake(GROUPS, "matrices are in both groups, so that they would be moved twice.")
def all_in_the_second(params: "Iterable[torch.Tensor]", weight_decay: float,
                      ) -> "list[dict[str, Any]]":
    params = list(params)
    return [{"params": [p for p in params if p.ndim >= 2], "weight_decay": weight_decay},
            {"params": params, "weight_decay": 0.0}]


@mistake(GROUPS, "the rest is left out. A parameter that is in no group is never trained.")
def first_group_alone(params: "Iterable[torch.Tensor]", weight_decay: float,
                      ) -> "list[dict[str, Any]]":
    return [{"params": [p for p in params if p.ndim >= 2], "weight_decay": weight_decay}]



@mistake(GROUPS, "size decides here. A long bias is still a bias: it is the number of dimensions "
         "that counts, p.ndim.")
def by_size(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    params = list(params)
    return [{"params": [p for p in params if p.numel() >= 10], "weight_decay": weight_decay},
            {"params": [p for p in params if p.numel() < 10], "weight_decay": 0.0}]


@mistake(GROUPS, "a side of 1 was not counted as a dimension. A matrix of one row is a matrix, "
         "and a filter with such a side a weight: ask p.ndim.")
def without_sides_of_one(params: "Iterable[torch.Tensor]", weight_decay: float,
                         ) -> "list[dict[str, Any]]":
    params = list(params)
    return [{"params": [p for p in params if p.squeeze().ndim >= 2], "weight_decay": weight_decay},
            {"params": [p for p in params if p.squeeze().ndim < 2], "weight_decay": 0.0}]




@mistake(GROUPS, "a group without parameters is left out. There are always two: who asks for the "
         "second finds it, and it may be empty.")
def empty_left_out(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    params = list(params)
    groups = [{"params": [p for p in params if p.ndim >= 2], "weight_decay": weight_decay},
              {"params": [p for p in params if p.ndim < 2], "weight_decay": 0.0}]
    return [group for group in groups if group["params"]]


@mistake(GROUPS, "each parameter has a group of its own. Two are asked for: all matrices, and all "
         "the rest.")
def one_group_each(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    return [{"params": [p], "weight_decay": weight_decay if p.ndim >= 2 else 0.0} for p in params]


edit(GROUPS, "no_decay_given", ', "weight_decay": 0.0}', "}",
     "the second group has no weight_decay of its own, and AdamW will fill in its default, 0.1. "
     "Say 0.")
