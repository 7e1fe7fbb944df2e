"""Known wrong answers to attention and its backward pass: how far a mask reaches."""

from .backward import FORWARD_LINES, forward
from .forward import branch

ADDED = ("a masked score is only made smaller by a number, and one far above the others stays "
         "above them. A masked weight is exactly 0: add −inf, or fill with it.")
CUT = ("the mask is indexed as if it had the dimensions [..., T, S]. It is of any shape that "
       "broadcasts to that, [S] too; let broadcasting do the work.")
branch("number_added", """\
if mask is not None:
    scores = scores + torch.where(mask, 0.0, -1e4).to(q.dtype)
weights = F.softmax(scores)
weights = weights if mask is None else weights * mask.any(-1, keepdim=True)""", ADDED)
branch("mask_cut", """\
if mask is not None:
    mask = mask[..., :scores.shape[-2], :scores.shape[-1]]
    scores = scores.masked_fill(~mask, -1e30)
weights = F.softmax(scores)
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""", CUT, raises=True)
forward("number_added", """\
scores = q @ k.transpose(-2, -1) / c + (~mask).to(q.dtype) * -1e4
p = F.softmax(scores) * mask.any(-1, keepdim=True)""", ADDED)
forward("mask_cut", """\
mask = mask[..., :q.shape[-2], :k.shape[-2]] if mask.dim() else mask
""" + FORWARD_LINES, CUT, raises=True)
