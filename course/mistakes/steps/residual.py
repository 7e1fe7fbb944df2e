"""Known wrong answers to the steps on residual connections."""

from typing import Any

import torch

from .. import edit, mistake, wrong_choice, wrong_number

GRADIENT = "steps.residual.input_gradient"
edit(GRADIENT, "not_transposed", "J.T @ dy", "J @ dy",
     "J is not transposed: dx_j collects ∂F_i/∂x_j · dy_i over i, which runs down a column of J.")
edit(GRADIENT, "branch_alone", "dy + J.T @ dy", "J.T @ dy",
     "only what comes through the branch is here. x itself is added to y as well: + dy.")
edit(GRADIENT, "line_alone", "dy + J.T @ dy", "dy + 0 * J.T @ dy",
     "only what comes along the line is here. The branch has x in it too: + Jᵀdy.")
edit(GRADIENT, "elementwise", "dy + J.T @ dy", "(1 + J) * dy",
     "1 + F′ is the rule for a number. For vectors the 1 is the identity matrix, and the product "
     "is one of a matrix with a vector.")
edit(GRADIENT, "diagonal", "dy + J.T @ dy", "dy * (1 + J.diagonal())",
     "only the diagonal of J is used. Each entry of F depends on all entries of x.")
edit(GRADIENT, "one_to_every_entry", "dy + J.T @ dy", "(1 + J).T @ dy",
     "the 1 is added to every entry of J. It is the identity: 1 on the diagonal, 0 elsewhere.")
edit(GRADIENT, "minus", "dy + J.T", "dy - J.T", "the branch is subtracted. Two ways add up.")

CANCELLED = "steps.residual.cancelled"
wrong_number(CANCELLED, 1, "the +1 is there, and F′ = −1 is added to it.")
wrong_number(CANCELLED, 2, "that is 1 + 1. The slope of F(x) = −x is −1.")
wrong_number(CANCELLED, -1, "that is what comes through the branch. The line adds +1.")

THROUGH = "steps.residual.through_blocks"
edit(THROUGH, "plain", "(1 + s) ** n", "s ** n",
     "that is a chain without residuals. Each block has the slope 1 + s.")
edit(THROUGH, "sum", "(1 + s) ** n", "1 + s * n",
     "the slopes are added up. On the way through a chain they are multiplied.")
edit(THROUGH, "minus", "(1 + s) ** n", "(1 - s) ** n",
     "the branch is subtracted. y = x + f(x) has the slope 1 + s.")
edit(THROUGH, "one_line", "(1 + s) ** n", "1 + s ** n",
     "this adds one line around the whole chain. Here every block has a line of its own.")
edit(THROUGH, "times", "(1 + s) ** n", "(1 + s) * n",
     "the slopes of n blocks are multiplied with one another, not by n.")

PRE, POST = "steps.residual.pre_norm", "steps.residual.post_norm"


@mistake(PRE, "the norm stands after the sum, on the line itself: that is post-norm. Here it "
         "stands inside the branch.")
def after_the_sum(x: Any, norm: Any, branch: Any) -> Any:
    return norm(x + branch(x))


@mistake(PRE, "the line itself is replaced by its norm. What is added to is x as it came.")
def line_normed(x: Any, norm: Any, branch: Any) -> Any:
    return norm(x) + branch(norm(x))


@mistake(PRE, "the norm stands after the branch. It stands in front of it: the branch reads a "
         "normed x.")
def after_the_branch(x: Any, norm: Any, branch: Any) -> Any:
    return x + norm(branch(x))


@mistake(PRE, "the branch's result is normed as well: that is the sandwich. Here the norm stands "
         "in front of the branch only.")
def sandwich(x: Any, norm: Any, branch: Any) -> Any:
    return x + norm(branch(norm(x)))


@mistake(PRE, "the norm is not used.")
def no_norm(x: Any, norm: Any, branch: Any) -> Any:
    return x + branch(x)


@mistake(PRE, "x is not added: the branch replaces it.")
def no_line(x: Any, norm: Any, branch: Any) -> Any:
    return branch(norm(x))


for target, right, branch in ((PRE, "branch(norm(x))", "branch(norm(x)).detach()"),
                              (POST, "branch(x)", "branch(x).detach()")):
    edit(target, "branch_cut_off", right, branch,
         "the numbers are right, and the gradient is not: the branch is cut out of the graph.")


@mistake(POST, "the norm stands inside the branch: that is pre-norm. Here it comes last, after the "
         "sum.")
def inside(x: Any, norm: Any, branch: Any) -> Any:
    return x + branch(norm(x))


@mistake(POST, "only the branch is normed. The sum is: norm(x + …).")
def branch_normed(x: Any, norm: Any, branch: Any) -> Any:
    return x + norm(branch(x))


@mistake(POST, "the branch reads a normed x here. In post-norm it reads x as it is; the norm "
         "before it belongs to the block before.")
def both(x: Any, norm: Any, branch: Any) -> Any:
    return norm(x + branch(norm(x)))


@mistake(POST, "x is normed and the branch is not: the norm stands around the sum of both.")
def line_alone_normed(x: Any, norm: Any, branch: Any) -> Any:
    return norm(x) + branch(x)


@mistake(POST, "the norm is not used.")
def not_normed(x: Any, norm: Any, branch: Any) -> Any:
    return x + branch(x)


@mistake(POST, "x is not added: only the branch is normed and handed on.")
def without_x(x: Any, norm: Any, branch: Any) -> Any:
    return norm(branch(x))


PASSES = "steps.residual.attention_passes"
OUT = "return torch.allclose(out, x + attention(torch.tanh(x)))"
edit(PASSES, "differs_from_x", OUT, "return not torch.allclose(out, x)",
     "it passes every block from which anything of attention comes out, also one that loses x or "
     "adds attention twice. Compare with x + attention(norm_1(x)) exactly.")
edit(PASSES, "shape", OUT, "return out.shape == x.shape",
     "it passes every block, also one without attention. The shape is right in all of them, and x "
     "= 0 makes all of them alike: compare values where x and attention are something.")
edit(PASSES, "turned_around", OUT, "return not torch.allclose(out, x + attention(torch.tanh(x)))",
     "yes and no are swapped: a right block has to pass.")
edit(PASSES, "attention_switched_off", "torch.tanh, attention, torch.sigmoid, torch.zeros_like)",
     "torch.tanh, torch.zeros_like, torch.sigmoid, attention)",
     "attention gives 0 in this test, so nobody can tell whether it gets through. What has to "
     "give 0 is the feed-forward.")
edit(PASSES, "nothing_off", "torch.zeros_like)", "torch.sin)",
     "it passes no block, not even a right one. Does your feed-forward give 0, and do you compare "
     "with x + attention(norm_1(x)), with the same norm?")
edit(PASSES, "without_x", "x + attention(torch.tanh(x)))", "attention(torch.tanh(x)))",
     "x is missing in what is expected: the line carries x, and attention is added to it.")


@mistake(PASSES, "this looks whether attention was called. In a block that hands it to the "
         "feed-forward only, it is called, and lost. Look at what comes out.")
def was_called(block: Any) -> bool:
    called = []

    def attention(z: torch.Tensor) -> torch.Tensor:
        called.append(z)
        return z

    block(torch.ones(1, 2, 3), torch.tanh, attention, torch.tanh, torch.zeros_like)
    return bool(called)


edit(PASSES, "norms_that_do_nothing",
     f"block(x, torch.tanh, attention, torch.sigmoid, torch.zeros_like)\n    {OUT}",
     "block(x, lambda z: z, attention, lambda z: z, torch.zeros_like)\n"
     "    return torch.allclose(out, x + attention(x))",
     "it passes a block whose attention reads x without a norm: your norms change x too little to "
     "tell, or your comparison leaves too much room. Take two that do, each in another way.")
edit(PASSES, "one_norm_for_both", "torch.sigmoid", "torch.tanh",
     "it passes a block whose attention reads norm_2(x): norm_1 and norm_2 are the same function "
     "here. Take two that differ.")
edit(PASSES, "one_sum", OUT,
     "return torch.allclose(out.sum(), (x + attention(torch.tanh(x))).sum())",
     "it compares one sum or mean, and too much in one entry hides too little in another. Compare "
     "all entries.")
edit(PASSES, "last_token", OUT,
     "return torch.allclose(out[:, -1], (x + attention(torch.tanh(x)))[:, -1])",
     "it passes a block that is wrong in the first token only. Compare all tokens.")
edit(PASSES, "loose", OUT, "return torch.allclose(out, x + attention(torch.tanh(x)), atol=0.3)",
     "it passes a block whose result is a tenth off. Leave room for rounding only, as "
     "torch.allclose does by itself.")
edit(PASSES, "one_entry_is_enough", OUT,
     "return torch.isclose(out, x + attention(torch.tanh(x))).any()",
     "it passes a block that is right in one entry and wrong in others. All of them have to agree: "
     "torch.allclose, or .all().")

LAST = "steps.residual.last_rms"
edit(LAST, "no_root", "(1 + n * v) ** 0.5", "1 + n * v",
     "that is the mean square. RMS is its root.")
edit(LAST, "one_branch_less", "(1 + n * v) ** 0.5", "(1 + (n - 1) * v) ** 0.5",
     "that is what the last branch reads. The last norm comes after it, with n branches on the "
     "line.")
edit(LAST, "two_a_layer", "(1 + n * v) ** 0.5", "(1 + 2 * n * v) ** 0.5",
     "n counts branches here, not layers.")
edit(LAST, "start_outside", "(1 + n * v) ** 0.5", "1 + (n * v) ** 0.5",
     "the 1 belongs under the root: mean squares add up, sizes do not.")
edit(LAST, "no_start", "(1 + n * v) ** 0.5", "(n * v) ** 0.5",
     "what the line started with is forgotten: a mean square of 1.")
edit(LAST, "sizes_added", "(1 + n * v) ** 0.5", "1 + n * v ** 0.5",
     "sizes are added up. For vectors that do not agree with one another the *squares* add up.")
edit(LAST, "multiplied", "(1 + n * v) ** 0.5", "(1 + v) ** (n / 2)",
     "each branch is taken to multiply the line. It reads a normed x, so it adds the same v "
     "however large the line is.")
edit(LAST, "one_branch", "(1 + n * v) ** 0.5", "(1 + v) ** 0.5 + 0 * n",
     "that is what stands after one branch. In post-norm it would stay so; here nothing norms the "
     "line, and n branches are on it.")
edit(LAST, "squared", "(1 + n * v) ** 0.5", "(1 + n * v**2) ** 0.5",
     "v is squared. It is a mean square already.")
edit(LAST, "inverse", "(1 + n * v) ** 0.5", "(1 + n * v) ** -0.5",
     "that is one over it: what the last norm multiplies the gradient by. Its RMS is asked for.")

DEPTH = "steps.residual.post_depth"
wrong_choice(DEPTH, "a", "that is pre-norm. In post-norm the line is normed after each branch, so "
             "the last norm sees one branch on a line of mean square 1, at any depth.")
wrong_choice(DEPTH, "c", "nothing piles up in post-norm: each norm brings the line back to a mean "
             "square of 1.")

SHARE = "steps.residual.share"
edit(SHARE, "without_itself", "v / (1 + n * v)", "v / (1 + (n - 1) * v)",
     "the line is counted without the branch itself. Right after adding, n branches are on it.")
edit(SHARE, "of_all", "v / (1 + n * v)", "1 / n + 0 * v",
     "the start is left out, which has a mean square of 1.")
edit(SHARE, "of_all_branches", "v / (1 + n * v)", "n * v / (1 + n * v)",
     "that is the share of all n branches together. One of them is asked for.")
edit(SHARE, "of_sizes", "v / (1 + n * v)", "(v / (1 + n * v)) ** 0.5",
     "that is the ratio of the sizes. The share in the variance is its square.")
edit(SHARE, "constant", "v / (1 + n * v)", "v / (1 + v) + 0 * n",
     "that is so for the first branch. The later one finds n − 1 others on the line.")
edit(SHARE, "of_the_start", "v / (1 + n * v)", "1 / (1 + n * v)",
     "that is the share of what the line started with.")

MODELS = "steps.residual.which_models"
wrong_choice(MODELS, "a", "one of the two norms before each block, and its paper says so in one "
             "sentence. It is the one for images.")
wrong_choice(MODELS, "b", "it is the other way round: ViT norms before every block.")
wrong_choice(MODELS, "d", "the older of the two took its layer from the first Transformer as it "
             "was: norm after the sum.")
