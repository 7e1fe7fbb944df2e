"""Answers of the steps about heads: what they cost, how they lie in memory, who shares a key."""

import torch

weights_in_all = 16384


def score_products(T: int, D: int, H: int) -> float:
    """Multiplications in Q Kᵀ of all H heads together, for one text of T tokens and width D."""
    ### BEGIN SOLUTION
    return H * T * T * (D / H)
    ### END SOLUTION


def score_entries(B: int, T: int, D: int, H: int) -> float:
    """Numbers in the scores of one layer, for B texts of T tokens."""
    ### BEGIN SOLUTION
    return B * H * T**2
    ### END SOLUTION


score_gib = 1

strides = [60, 5, 20, 1]

wrong_view = [0, 0, 1, 1]

merge_error = "c"


def shapes(B: int, T: int, D: int, H: int) -> list[list[int]]:
    """The eleven shapes from x to the output of the layer, row 1 first, each as a list."""
    ### BEGIN SOLUTION
    Dh = D // H
    whole, cut = [B, T, D], [B, T, H, Dh]  # of q: before and after the view
    heads, scores = [B, H, T, Dh], [B, H, T, T]
    return [whole, whole, cut, heads, *[scores] * 4, heads, whole, whole]
    ### END SOLUTION


def fits(D: int, H: int, Hkv: int) -> bool:
    """Whether a width D can be cut into H heads, and these can share Hkv key heads equally."""
    ### BEGIN SOLUTION
    return D % H == 0 and H % Hkv == 0
    ### END SOLUTION


out_columns = 128

key_rows = 16

key_head_of = [0, 0, 0, 1, 1, 1]

shared_scores = "b"


def weight_ratio(H: int, Hkv: int) -> float:
    """Weights of the four projections with Hkv key heads, divided by those with H key heads."""
    ### BEGIN SOLUTION
    return (2 * H + 2 * Hkv) / (4 * H)
    ### END SOLUTION


def shared_gradient(grad: torch.Tensor, n_rep: int) -> torch.Tensor:
    """From the gradient to the repeated keys, [B, Hkv·n_rep, S, Dh], to the keys: [B, Hkv, S, Dh].

    The repeated keys are those of `repeat_kv`.
    """
    ### BEGIN SOLUTION
    B, H, S, Dh = grad.shape
    return grad.view(B, H // n_rep, n_rep, S, Dh).sum(2)  # (B, Hkv, S, Dh)
    ### END SOLUTION


cached = "b"

score_rank = 4

family = "c"
