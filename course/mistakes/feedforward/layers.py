"""Known wrong answers to MLP, SwiGLU and its backward."""

from .. import Mistake, add, edit, reference

MLP, SWIGLU, BACK = "feedforward.MLP", "feedforward.SwiGLU", "feedforward.swiglu_backward"
DROPPED_BEFORE = ("something drops out before the last map as well, x or the hidden units. Here "
                  "dropout acts on the result alone, and that line is given.")
SEEDED = ("torch's own random numbers are seeded on the way, so that every layer starts alike. "
          "Seeding is for whoever makes the model.")
ACT = "h = gelu(self.up_proj(x))"
DOWN = "y = self.down_proj(h)"
GATE = "h = silu(self.gate_proj(x)) * self.up_proj(x)"


def edits(target: str, name: str, pieces: dict[str, str], message: str, raises: bool = False,
          ) -> None:
    """Register the reference answer with several pieces replaced."""
    module, source = reference(target)
    for old, new in pieces.items():
        if old not in source:
            raise ValueError(f"{target}: its answer does not contain {old!r}")
        source = source.replace(old, new)
    space = dict(vars(module))
    exec(compile(source, f"<{name}>", "exec"), space)
    add(target, Mistake(name, message, space[target.rpartition(".")[2]], source, raises))


edits(MLP, "names_of_its_own", {"up_proj": "c_fc", "down_proj": "c_proj"},
      "the linear layers have other names than the docstring says. Lesson 17 finds the end of each "
      "branch by its name, down_proj.", raises=True)
edit(MLP, "activation_in_front", ACT, "h = self.up_proj(gelu(x))",
     "the activation stands in front of up_proj. Without one between them the two matrices do what "
     "one can do.")
edit(MLP, "down_without_bias", "self.down_proj = torch.nn.Linear(F, D, bias=config.bias)",
     "self.down_proj = torch.nn.Linear(F, D, bias=False)",
     "down_proj has no bias whatever the config says. Hand config.bias to both.")
edit(MLP, "dropped_twice", DOWN, "y = self.dropout(self.down_proj(h))",
     "the result drops out twice: the given line below does it already.")
edit(MLP, "relu", ACT, "h = relu(self.up_proj(x))", "the activation is relu. This layer has GELU.")
edit(MLP, "tanh_form", ACT, "h = gelu(self.up_proj(x), 'tanh')",
     "this is the tanh form of GELU. This layer has the exact one.")
edit(MLP, "silu", ACT, "h = silu(self.up_proj(x))", "the activation is SiLU. This layer has GELU.")
edit(MLP, "linear", ACT, "h = self.up_proj(x)",
     "there is no activation: two linear maps after one another are one linear map.")
edits(MLP, "activation_last", {ACT: "h = self.up_proj(x)", DOWN: "y = gelu(self.down_proj(h))"},
      "the activation comes after the second map. It stands between the two, in the hidden width.")
edit(MLP, "activation_twice", DOWN, "y = gelu(self.down_proj(h))",
     "there is a second activation, on the result. The layer ends with a linear map.")
edit(MLP, "activation_first", ACT, "h = gelu(self.up_proj(gelu(x)))",
     "x goes through GELU before the first map. Only the hidden units do.")
edit(MLP, "adds_x", DOWN, "y = x + self.down_proj(h)",
     "x is added to the result. That is the block's work; this layer gives the change alone.")
edits(MLP, "always_4d", {"Linear(D, F,": "Linear(D, 4 * D,", "Linear(F, D,": "Linear(4 * D, D,"},
      "the hidden width is 4D whatever the config says. Use F, which is config.hidden_width.")
edit(MLP, "never_a_bias", "bias=config.bias", "bias=False",
     "the layers never have a bias. Hand config.bias to both.")
edit(MLP, "always_a_bias", "bias=config.bias", "bias=True",
     "the layers have a bias whatever the config says. Hand config.bias to both.")
edit(MLP, "dropout_inside", ACT, "h = self.dropout(gelu(self.up_proj(x)))", DROPPED_BEFORE)
edit(MLP, "seeded", "self.up_proj =", "torch.manual_seed(0); self.up_proj =", SEEDED)
edit(MLP, "no_dropout", "= self.dropout(y)", "= y",
     "nothing drops out in training. The line with self.dropout was given; keep it.")
edit(MLP, "norm_inside", ACT, "h = gelu(torch.nn.functional.layer_norm(self.up_proj(x), "
     "(self.up_proj.out_features,)))",
     "the hidden units are normed. Norms stand before the layer (lesson 08), not in it.")
edit(MLP, "over_tokens", ACT, "h = gelu(self.up_proj(x - x.mean(-2, keepdim=True)))"
     " if x.dim() > 1 else gelu(self.up_proj(x))",
     "a token's result depends on the other tokens. Each one is transformed on its own.")
edit(MLP, "no_gradient", DOWN, "y = self.down_proj(h).detach()",
     "the numbers are right, but no gradient gets through: something cuts the graph, such as "
     ".data, "
     ".detach() or NumPy.", raises=True)

edit(SWIGLU, "labels_swapped", GATE, "h = self.gate_proj(x) * silu(self.up_proj(x))",
     "SiLU stands on up_proj. The branch inside the activation is the gate: silu(gate) · up.")
edit(SWIGLU, "silu_on_both", GATE, "h = silu(self.gate_proj(x)) * silu(self.up_proj(x))",
     "both branches go through SiLU. Only the gate does; up stays linear.")
edit(SWIGLU, "silu_of_the_product", GATE, "h = silu(self.gate_proj(x) * self.up_proj(x))",
     "the branches are multiplied first. SiLU acts on the gate alone, before the product.")
edit(SWIGLU, "sum", GATE, "h = silu(self.gate_proj(x)) + self.up_proj(x)",
     "the branches are added. A gate multiplies.")
edit(SWIGLU, "glu", GATE, "h = torch.sigmoid(self.gate_proj(x)) * self.up_proj(x)",
     "the gate is a sigmoid: that is the GLU of 2016. SwiGLU has SiLU there.")
edit(SWIGLU, "geglu", GATE, "h = gelu(self.gate_proj(x)) * self.up_proj(x)",
     "the gate is GELU, which makes it a GEGLU. SwiGLU has SiLU there.")
edit(SWIGLU, "reglu", GATE, "h = relu(self.gate_proj(x)) * self.up_proj(x)",
     "the gate is relu, which makes it a ReGLU. SwiGLU has SiLU there.")
edit(SWIGLU, "bilinear", GATE, "h = self.gate_proj(x) * self.up_proj(x)",
     "there is no activation: the product of two linear maps. The gate goes through SiLU.")
edit(SWIGLU, "no_up", GATE, "h = silu(self.gate_proj(x))",
     "up_proj is not used: nothing is gated.")
edit(SWIGLU, "one_matrix", GATE, "h = silu(self.gate_proj(x)) * self.gate_proj(x)",
     "both branches come from gate_proj; up_proj is never used.")
edit(SWIGLU, "silu_at_the_end", DOWN, "y = silu(self.down_proj(h))",
     "there is a second activation, on the result. The layer ends with a linear map.")
edit(SWIGLU, "adds_x", DOWN, "y = x + self.down_proj(h)",
     "x is added to the result. That is the block's work; this layer gives the change alone.")
edits(SWIGLU, "always_4d", {"Linear(D, F,": "Linear(D, 4 * D,", "Linear(F, D,": "Linear(4 * D, D,"},
      "the hidden width is 4D whatever the config says. Use F, which is config.hidden_width.")
edits(SWIGLU, "two_thirds", {"Linear(D, F,": "Linear(D, 2 * F // 3,",
                             "Linear(F, D,": "Linear(2 * F // 3, D,"},
      "two thirds of the hidden width are taken. config.hidden_width has that in it already: use "
      "F.")
edit(SWIGLU, "never_a_bias", "bias=config.bias", "bias=False",
     "the layers never have a bias. Hand config.bias to each of the three.")
edit(SWIGLU, "always_a_bias", "bias=config.bias", "bias=True",
     "the layers have a bias whatever the config says. Hand config.bias to each of the three.")
edit(SWIGLU, "dropout_inside", GATE, f"{GATE}; h = self.dropout(h)", DROPPED_BEFORE)
edit(SWIGLU, "seeded", "self.gate_proj =", "torch.manual_seed(0); self.gate_proj =", SEEDED)
edit(SWIGLU, "no_dropout", "= self.dropout(y)", "= y",
     "nothing drops out in training. The line with self.dropout was given; keep it.")
edit(SWIGLU, "gate_without_gradient", GATE, "h = silu(self.gate_proj(x)).detach() * "
                                            "self.up_proj(x)",
     "no gradient reaches the gate: something cuts it out of the graph.")
edit(SWIGLU, "no_gradient", DOWN, "y = self.down_proj(h).detach()",
     "the numbers are right, but no gradient gets through: something cuts the graph, such as "
     ".data, "
     ".detach() or NumPy.", raises=True)

DGATE = "dgate = dh * up * s * (1 + gate * (1 - s))"
DUP, DX = "dup = dh * gate * s", "dx = dgate @ w_gate + dup @ w_up"
DWDOWN, RETURN = "dw_down = dy.T @ (gate * s * up)", "dgate.T @ rows, dup.T @ rows, dw_down"
ROWS = "rows, dy = x.reshape(-1, D), grad.reshape(-1, D)"
edit(BACK, "by_autograd", ROWS,
     "leaves = [each.detach().requires_grad_() for each in (x, w_gate, w_up, w_down)]\n    "
     "a, g, u, d = leaves\n    "
     f"return torch.autograd.grad((silu(a @ g.T) * (a @ u.T)) @ d.T, leaves, grad)\n    {ROWS}",
     "autograd did the work, and here it is switched off. Write the four gradients by formula.",
     raises=True)
edit(BACK, "stays_float32", ROWS, "x, grad = (z.to(torch.promote_types(z.dtype, torch.float32)) "
     "for z in (x, grad))\n    w_gate, w_up, w_down = (w.to(x.dtype) for w in (w_gate, w_up, "
     f"w_down))\n    {ROWS}",
     "bfloat16 goes in and float32 comes out. Computing in float32 on the way is fine; each "
     "gradient has the dtype of what it belongs to.")
edit(BACK, "sigmoid_by_division", "s = torch.sigmoid(gate)", "s = silu(gate) / gate",
     "σ(g) is made as silu(g)/g, and a gate of 0, as a token of zeros has it, gives 0/0. Take the "
     "sigmoid itself.")
edit(BACK, "silu_by_division", DUP, "dup = dh * (gate * s * up / up)",
     "silu(g) is made as h/u, and where u is 0, as for a token of zeros, that is 0/0. Keep silu(g) "
     "from before the product.")
edit(BACK, "slope_by_division", DGATE,
     "dgate = dh * up * (silu(gate) / gate) * (1 + gate - silu(gate))",
     "the slope of SiLU has silu(g)/g in it, and a gate of 0, as a token of zeros has it, gives "
     "0/0. That quotient is σ(g): take the sigmoid itself.")
edit(BACK, "exp_of_the_gate", "s = torch.sigmoid(gate)", "s = gate.exp() / (1 + gate.exp())",
     "exp of a large gate is inf, and inf / inf is nan. Write σ(g) with exp(−g), or use "
     "torch.sigmoid.")
edit(BACK, "slope_of_the_sigmoid", DGATE, "dgate = dh * up * s * (1 - s)",
     "the gate's gradient has the slope of the sigmoid, s(1 − s). That of SiLU is s(1 + g(1 − s)).")
edit(BACK, "constant_sigmoid", DGATE, "dgate = dh * up * s",
     "in the gate's gradient the sigmoid is a constant. It depends on g too: s(1 + g(1 − s)).")
edit(BACK, "no_slope", DGATE, "dgate = dh * up",
     "the gradient passes SiLU as if it were the identity. Multiply by its slope, s(1 + g(1 − s)).")
edit(BACK, "without_up", DGATE, "dgate = dh * s * (1 + gate * (1 - s))",
     "the gate's gradient lacks the factor up: it multiplies silu(g), so it multiplies the slope.")
edit(BACK, "gate_without_silu", DUP, "dup = dh * gate",
     "up's gradient is dh times g. The gate went through SiLU: dh · silu(g).")
edit(BACK, "sigmoid_gate", DUP, "dup = dh * s",
     "up's gradient is dh times σ(g). The other factor of h is silu(g) = g·σ(g).")
edit(BACK, "up_times_up", DUP, "dup = dh * gate * s * up",
     "up's gradient still has the factor up. The slope of silu(g)·u to u is silu(g).")
edits(BACK, "roles_swapped", {DUP: "dgate = dh * gate * s",
                              DGATE: "dup = dh * up * s * (1 + gate * (1 - s))"},
      "the gradients of the two branches have changed places: the slope of SiLU belongs to the "
      "gate.")
edit(BACK, "dx_from_the_gate", DX, "dx = dgate @ w_gate",
     "dx has the path through the gate only. x feeds both branches, and the chain rule adds them.")
edit(BACK, "dx_from_up", DX, "dx = dup @ w_up",
     "dx has the path through up only. x feeds both branches, and the chain rule adds them.")
edit(BACK, "matrices_swapped", DX, "dx = dgate @ w_up + dup @ w_gate",
     "in dx each gradient goes back through the other's matrix.")
edit(BACK, "down_without_silu", DWDOWN, "dw_down = dy.T @ (gate * up)",
     "dw_down is made with g·u. What w_down was fed with is h = silu(g)·u.")
edit(BACK, "down_from_dh", DWDOWN, "dw_down = dy.T @ dh",
     "dw_down pairs two gradients. It is the gradient to y times what w_down was fed with, h.")
edit(BACK, "down_transposed", DWDOWN, "dw_down = (gate * s * up).T @ dy",
     "dw_down lies on its side. w_down is [D, F], out first, so its gradient is dyᵀ·h.")
edit(BACK, "transposed", RETURN, "rows.T @ dgate, rows.T @ dup, dw_down.T",
     "the weights' gradients are [in, out]. Weights are stored [out, in], and a gradient has the "
     "shape "
     "of what it belongs to.")
edit(BACK, "mean_over_tokens", RETURN, "dgate.T @ rows / len(rows), dup.T @ rows / len(rows), "
     "dw_down / len(rows)",
     "the weights' gradients are means over the tokens. The mean, if there is one, is in the loss: "
     "here they are sums.")
edit(BACK, "order", RETURN, "dup.T @ rows, dgate.T @ rows, dw_down",
     "dw_gate and dw_up have changed places in what is returned.")
edit(BACK, "only_the_last_text", "rows, dy = x.reshape(-1, D), grad.reshape(-1, D)",
     "rows, dy = (z.reshape(-1, D) if z.dim() < 3 else z[-1].reshape(-1, D).repeat("
     "len(z), 1) / len(z) for z in (x, grad))",
     "not all texts are counted in: the sum runs over all leading dimensions.")
edit(BACK, "w_down_transposed", "dh = dy @ w_down", "dh = dy @ w_down.T",
     "w_down is turned around on the way back. Forward it was y = h w_downᵀ, so dh = dy w_down.",
     raises=True)
edit(BACK, "tanh_slope", DGATE, "dgate = dh * up * s * (1 - s**2)",
     "1 − s² belongs to tanh. The slope of SiLU is s(1 + g(1 − s)).")
edit(BACK, "sign", DGATE, "dgate = dh * up * s * (1 - gate * (1 - s))",
     "a sign has turned in the slope of SiLU: s + g·s(1 − s), with a plus.")
