"""Known wrong answers to attention's backward pass."""

from .. import edit
from .forward import VIEW

BACK = "attention.attention_backward"
ROOT = "c = math.sqrt(q.shape[-1])"
GIVEN = "return dq, dk, dv"
SCORES = "(q @ k.transpose(-2, -1) / c)"
FORWARD = """\
    scores = (q @ k.transpose(-2, -1) / c).masked_fill(~mask, torch.finfo(q.dtype).min)
    p = F.softmax(scores).masked_fill(~mask, 0.0)  # (..., T, S), as on the way forward
"""
FORWARD_LINES = FORWARD.replace("\n    ", "\n").strip()
UP_TO_DP = FORWARD + """\
    dv = p.transpose(-2, -1) @ grad_out  # (..., S, Dv)
    dp = grad_out @ v.transpose(-2, -1)  # (..., T, S)
"""
DS = "    ds = F.softmax_vjp(p, dp)"


def forward(name: str, lines: str, message: str, old: str = FORWARD, raises: bool = False) -> None:
    """Other lines in place of the forward pass."""
    edit(BACK, name, old, "".join(f"    {line}\n" for line in lines.splitlines()), message,
         raises)


def scores(name: str, right: str, message: str, raises: bool = False) -> None:
    """Another formula for ds, with the sum of each row written out."""
    edit(BACK, name, "F.softmax_vjp(p, dp)", right, message, raises)


edit(BACK, "no_scale", GIVEN, "return dq * c, dk * c, dv",
     "dq and dk lack the factor 1/√Dh. The score was divided by it on the way forward, so what "
     "comes back through it is divided too.")
edit(BACK, "no_scale_at_all", ROOT, "c = 1.0",
     "the factor 1/√Dh is missing in the weights, in dq and in dk. The weights are to be those of "
     "the forward pass, and what comes back through the scores is divided too.")
edit(BACK, "no_scale_on_q", "dq = ds @ k / c", "dq = ds @ k",
     "dq lacks the factor 1/√Dh; dk has it.")
edit(BACK, "no_scale_on_k", "@ q / c", "@ q", "dk lacks the factor 1/√Dh; dq has it.")
edit(BACK, "by_d", GIVEN, "return dq / c, dk / c, dv",
     "dq and dk are divided by Dh. The score was divided by √Dh, once.")
edit(BACK, "by_d_everywhere", ROOT, "c = q.shape[-1]",
     "the scores, dq and dk are divided by Dh. It is √Dh, as on the way forward.")
EIGHT = "8 is √Dh for a width of 64 only: take the root of q.shape[-1]."
edit(BACK, "by_eight", GIVEN, "return dq * c / 8, dk * c / 8, dv", EIGHT)
edit(BACK, "by_eight_everywhere", ROOT, "c = 8.0", EIGHT)
edit(BACK, "multiplied", GIVEN, "return dq * c**2, dk * c**2, dv",
     "dq and dk are multiplied by √Dh. The derivative of s/√Dh has the factor 1/√Dh.")
edit(BACK, "scale_on_v", "@ grad_out  # (..., S, Dv)", "@ grad_out / c",
     "dv is divided by √Dh. The scale stands in the scores; the values never meet it.")
edit(BACK, "width_of_values", GIVEN, "r = c / math.sqrt(v.shape[-1])\n    "
     "return dq * r, dk * r, dv",
     "dq and dk are divided by the root of Dv. The sum in a score runs over the Dh entries of q "
     "and k.")
edit(BACK, "width_of_values_everywhere", ROOT, "c = math.sqrt(v.shape[-1])",
     "the width of the values is used for the scale. The sum in a score runs over the Dh entries "
     "of q and k.")

# --- the softmax
scores("no_sum", "p * dp",
       "the sum is missing in ds: when one weight of a row rises, the others fall. It is the "
       "softmax_vjp of lesson 01.")
scores("entry_by_entry", "p * (1 - p) * dp",
       "p(1 − p) is the diagonal of the Jacobian alone. A score moves all weights of its row: use "
       "the softmax_vjp of lesson 01.")
scores("sum_over_queries", "p * (dp - (p * dp).sum(-2, keepdim=True))",
       "the sum in ds runs over the queries. Each row is a softmax of its own: dim=-1.")
scores("sum_without_p", "p * (dp - dp.sum(-1, keepdim=True))",
       "the sum in ds is over dp alone. It is the mean of dp with the weights p: Σ p·dp.")
scores("sum_outside", "p * dp - (p * dp).sum(-1, keepdim=True)",
       "the factor p stands in front of the bracket, so the row's sum has it too: ds = p·(dp − Σ "
       "p·dp).")
scores("mean_of_products", "p * (dp - (p * dp).mean(-1, keepdim=True))",
       "the mean of p·dp is subtracted. The weights p sum to 1 already, so it is the sum: Σ p·dp.")
scores("no_keepdim", "p * (dp - (p * dp).sum(-1))",
       "the row's sum lost its dimension and lines up with the keys instead of the queries.",
       raises=True)
scores("arguments_changed", "F.softmax_vjp(dp, p)",
       "the arguments of softmax_vjp have changed places: first the weights p, then the gradient "
       "to them.")
scores("mean", "p * (dp - dp.mean(-1, keepdim=True))",
       "a plain mean of dp is subtracted. It is the mean with the weights p: Σ p·dp.")
scores("sum_of_everything", "p * (dp - (p * dp).sum())",
       "one sum for everything. Each row of scores is a softmax of its own and has its own sum.")
scores("sum_added", "p * (dp + (p * dp).sum(-1, keepdim=True))",
       "the row's sum is added in ds. It is subtracted: what one weight gains, the others lose.")
scores("no_p_in_front", "dp - (p * dp).sum(-1, keepdim=True)",
       "the factor p in front is missing in ds: a weight near 0 hardly answers to its score.")
scores("softmax_skipped", "dp",
       "the softmax is left out: dp is the gradient to the weights, and ds the one to the scores.")
scores("sign", "-F.softmax_vjp(p, dp)",
       "the sign of ds is turned around, so dq and dk point the wrong way.")

# --- the products
edit(BACK, "dv_not_transposed", "dv = p.transpose(-2, -1) @", "dv = p @",
     "dv needs pᵀ: a value collects from every query that looked at it, and queries are the rows "
     "of p.", raises=True)
edit(BACK, "dp_not_transposed", "grad_out @ v.transpose(-2, -1)", "grad_out @ v",
     "dp needs vᵀ: [T, Dv] times [Dv, S] gives [T, S].", raises=True)
edit(BACK, "dk_not_transposed", "ds.transpose(-2, -1) @ q", "ds @ q",
     "dk needs dsᵀ: a key collects from every query, and queries are the rows of ds.", raises=True)
edit(BACK, "dq_transposed", "dq = ds @ k", "dq = ds.transpose(-2, -1) @ k",
     "dq needs ds as it is: [T, S] times [S, Dh] gives [T, Dh].", raises=True)
edit(BACK, "dv_from_dp", "dv = p.transpose(-2, -1)",
     "dv = (grad_out @ v.transpose(-2, -1)).transpose(-2, -1)",
     "dv is made from dp. The output is p v, so what a value gets back is weighted with p.")
edit(BACK, "dv_from_ds", GIVEN, "return dq, dk, ds.transpose(-2, -1) @ grad_out",
     "dv is made from ds. A value meets the output behind the softmax: weight with p.")
edit(BACK, "dk_from_p", "dk = ds.transpose", "dk = p.transpose",
     "dk is made from the weights. A key meets the output only through the scores: weight with "
     "ds.")
edit(BACK, "everything_turned", "p.transpose(-2, -1) @", "p.permute(*range(p.dim())[::-1]) @",
     "all dimensions of p are turned around (`.T` does that). Only the last two change places: "
     "transpose(-2, -1).", raises=True)
edit(BACK, "flat_view", "@ grad_out  # (..., S, Dv)",
     "@ grad_out.view(-1, *grad_out.shape[-2:]).view(grad_out.shape)", VIEW, raises=True)

# --- the forward pass and its mask
forward("no_mask", f"p = F.softmax({SCORES})",
        "the mask is not used: the weights are to be those of the forward pass.")
forward("inverted", f"""\
p = F.softmax({SCORES}.masked_fill(mask & (mask.dim() > 0), -1e30))
p = p.masked_fill(mask & (mask.dim() > 0), 0.0)""",
        "the mask is used the wrong way round: True = may attend.")
forward("mask_on_dp", f"""\
p = F.softmax({SCORES})
dv = p.transpose(-2, -1) @ grad_out
dp = (grad_out @ v.transpose(-2, -1)).masked_fill(~mask, 0.0)""",
        "the mask is applied to dp, and p still gives weight to what is masked. Take p from the "
        "masked forward pass; then ds is 0 there by itself.", UP_TO_DP)
edit(BACK, "mask_on_ds", UP_TO_DP + DS, f"""\
    p = F.softmax({SCORES})
    dv = p.transpose(-2, -1) @ grad_out
    ds = F.softmax_vjp(p, grad_out @ v.transpose(-2, -1)).masked_fill(~mask, 0.0)""",
     "the mask is applied to ds, and p still gives weight to what is masked: dv and the row's sum "
     "need p = 0 there. Take p from the masked forward pass.")
INFINITY = ("−inf was for scores, on the way forward. Here it meets a weight of 0, and 0 · inf is "
            "nan. With p = 0 at the masked places nothing has to be done.")
edit(BACK, "dp_filled_with_infinity", DS, f"    dp = dp.masked_fill(~mask, -torch.inf)\n{DS}",
     INFINITY)
edit(BACK, "ds_filled_with_infinity", DS, f"{DS}.masked_fill(~mask, -torch.inf)", INFINITY)
forward("fill_too_small", f"""\
p = F.softmax({SCORES}.masked_fill(~mask, -1e4)).masked_fill(~mask, 0.0)""",
        "the fill is a number that real scores can come near, and then it wins over them. −inf or "
        "the lowest number of the dtype can't.")
forward("no_maximum", f"""\
p = {SCORES}.exp() * mask
p = p / p.sum(-1, keepdim=True).clamp(min=1e-30)""",
        "exp of a large score is inf, and inf / inf is nan. Take the weights from your forward "
        "function, or the softmax of lesson 01.")
forward("one_query_unmasked", f"""\
mask = torch.ones_like(mask) if q.shape[-2] == 1 else mask
{FORWARD_LINES}""", "with one query the mask is left out. One query needs no *causal* mask, but "
        "this one may hide padding.")
forward("always_causal", f"""\
T, S = q.shape[-2], k.shape[-2]
mask = q.new_ones(T, S).tril(S - T).bool() if mask.dim() == 0 else mask
{FORWARD_LINES}""", "a causal mask is applied although none was given. Whoever calls brings the "
        "mask.")
forward("nan_for_nothing", f"p = F.softmax({SCORES}.masked_fill(~mask, -torch.inf))",
        "a query that may attend to nothing makes the gradients nan: its weights are 0/0. They "
        "are to be zeros, as on the way forward.")
forward("uniform_for_nothing", f"p = F.softmax({SCORES}.masked_fill(~mask, -1e9))",
        "a query that may attend to nothing still sends gradients to the values: a finite fill "
        "gives it equal weights. They are to be zeros, as on the way forward.")
forward("filled_with_zero", f"p = F.softmax({SCORES}.masked_fill(~mask, 0.0))",
        "masked scores are filled with 0, and exp(0) = 1 competes with the allowed keys. The "
        "weights are to be those of the forward pass.")
edit(BACK, "forward_without_scale", SCORES, "(q @ k.transpose(-2, -1))",
     "the weights are worked out without 1/√Dh, so they are not those of the forward pass. "
     "Everything behind them is then off.")
edit(BACK, "forward_scaled_twice", SCORES, "(q @ k.transpose(-2, -1) / c**2)",
     "the scores are divided by √Dh twice on the way to the weights, so these are not the weights "
     "of the forward pass.")
edit(BACK, "weights_softmaxed_again", "F.softmax(scores)", "F.softmax(F.softmax(scores))",
     "a softmax of the weights is taken. Your forward function gives weights, not scores.")

# --- what is given back
edit(BACK, "order", GIVEN, "return dv, dk, dq",
     "the gradients are right, their order is not: dq, dk, dv.")
edit(BACK, "order_of_two", GIVEN, "return dq, dv, dk",
     "the gradients are right, their order is not: dq, dk, dv.")
edit(BACK, "order_of_q_and_k", GIVEN, "return dk, dq, dv",
     "the gradients are right, their order is not: dq, dk, dv.")
edit(BACK, "float32", GIVEN, "return dq.float(), dk.float(), dv.float()",
     "the result has another dtype than the inputs: float64 went in and float32 came out.")
edit(BACK, "float64", GIVEN, "return dq.double(), dk.double(), dv.double()",
     "the result has another dtype than the inputs: float32 went in and float64 came out.")
edit(BACK, "through_autograd", FORWARD, f"""\
    q, k, v = (x.detach().clone().requires_grad_() for x in (q, k, v))
    p = F.softmax({SCORES}.masked_fill(~mask, -1e30)).masked_fill(~mask, 0.0)
    return torch.autograd.grad(p @ v, (q, k, v), grad_out)
""", "autograd did the work, and here it is switched off. Write the three gradients with the "
     "formulas of the steps.", raises=True)
