"""Known wrong answers to the mixture of experts."""

from .. import edit
from .layers import edits

MOE = "feedforward.MoE"
RENORMALIZE = "renormalize=k > 1"
BALANCE = "self.balance_loss = load_balance_loss(logits, experts, E)"
ROOMS = "weights = weights * within_capacity(experts, E, factor)"
ADD = "out = out.index_add(0, n, weights[n, choice, None] * expert(rows[n]))"
edit(MOE, "always_to_one", RENORMALIZE, "renormalize=True",
     "with one expert its weight is made 1, so the router's scores don't matter and it never "
     "learns. "
     "Renormalize only when k > 1.")
edit(MOE, "never_to_one", RENORMALIZE, "renormalize=False",
     "the weights of the k > 1 chosen experts don't sum to 1. Renormalize when k > 1.")
edit(MOE, "turned_around", RENORMALIZE, "renormalize=k == 1",
     "the condition is turned around: weights are made to sum to 1 when there is more than one.")
edit(MOE, "no_balance_loss", BALANCE, "pass",
     "`balance_loss` is not set. Whoever trains the model reads it after the call.", raises=True)
edit(MOE, "balance_added_up", BALANCE,
     f"before = self.balance_loss; {BALANCE} if before is None else before + "
     "load_balance_loss(logits, experts, E)",
     "`balance_loss` adds up over calls. It holds that of the last call.")
edit(MOE, "balance_of_all", BALANCE, "self.balance_loss = load_balance_loss(logits, experts[:, "
                                     ":1], E)",
     "the balance loss counts only the first choice. Hand all k choices to it.")
edit(MOE, "balance_without_graph", BALANCE, f"{BALANCE}.detach()",
     "`balance_loss` has lost its graph, so it can't train the router.", raises=True)
edit(MOE, "no_weights", "weights[n, choice, None] * expert", "expert",
     "the experts' results are added without their weights.")
edit(MOE, "mean", "weights[n, choice, None] * expert", "1 / k * expert",
     "the experts' results are averaged. Each counts with its weight.")
edit(MOE, "first_weight", "weights[n, choice, None]", "weights[n, 0, None]",
     "every expert counts with the weight of the first choice.")
edit(MOE, "overwritten", ADD, "out = out.index_copy(0, n, weights[n, choice, None] * "
     "expert(rows[n]))",
     "a later expert's result replaces an earlier one's. They are added.")
edit(MOE, "only_the_first", "(experts == e).nonzero", "(experts[:, :1] == e).nonzero",
     "only the first choice is served. A token visits all k of its experts.")
edits(MOE, "all_experts", {ADD: "out = out + functional.softmax(logits)[:, e, None] * "
                                "expert(rows)"},
      "every token visits every expert. Only its k chosen ones count.")
edit(MOE, "expert_by_rank", "expert(rows[n])", "self.experts[e - e % k](rows[n])",
     "the wrong expert is asked. The number in `experts` says which one it is.")
edit(MOE, "no_capacity", "if factor is not None:", "if False:",
     "the capacity factor is not used: every choice is served.")
edit(MOE, "tokens_dropped", ROOMS,
     "weights = weights * within_capacity(experts, E, factor).all(-1, keepdim=True)",
     "one choice without room costs a token all of its choices. The others still count.")
edit(MOE, "a_queue_for_each_text", ROOMS,
     "T = x.shape[-2] if x.dim() > 1 else 1; weights = weights * torch.cat("
     "[within_capacity(each, E, factor) for each in experts.split(T)])",
     "each text has queues of its own. The capacity is for all N tokens of the call.")
edit(MOE, "made_one_again", ROOMS, f"{ROOMS}; weights = torch.nan_to_num("
     "weights / weights.sum(-1, keepdim=True))",
     "after choices were dropped the weights of the others are made to sum to 1 again. They stay "
     "as "
     "they are.")
edit(MOE, "adds_x", "out = torch.zeros_like(rows)", "out = rows.clone()",
     "x is added to the result. That is the block's work; this layer gives the change alone.")
edit(MOE, "weights_on_the_input", "weights[n, choice, None] * expert(rows[n])",
     "expert(weights[n, choice, None] * rows[n])",
     "the weights scale what goes into an expert. They scale what comes out of it.")
edit(MOE, "router_without_gradient", RENORMALIZE, f"{RENORMALIZE}); weights, experts = "
     "(weights.detach(), experts",
     "the router gets no gradient from the output: the weights are cut out of the graph.",
     raises=True)
edit(MOE, "no_router_bias", "logits = self.router(rows)", "logits = rows @ self.router.weight.T",
     "the router's bias is not used. Call the router.")
edit(MOE, "divided_by_k", "weights[n, choice, None] * expert",
     "weights[n, choice, None] / k * expert",
     "the results are averaged on top of their weights. The weights say it all: add up.")
edit(MOE, "always_two", "route(logits, k", "route(logits, min(2, E)",
     "two experts are chosen whatever `config.top_k` says.")
edit(MOE, "router_reads_a_copy", "self.router(rows)", "self.router(rows.detach())",
     "the output is right, and the gradient to x is not: the router reads x detached. The weights "
     "depend on x too.")
edit(MOE, "small_balance", BALANCE, f"{BALANCE} * 0.01",
     "balance_loss has a factor. The loss itself is kept; whoever adds it to another one chooses "
     "the factor.")
edit(MOE, "capacity_of_one", "if factor is not None:", "factor = factor or 1.0\n        if True:",
     "choices are dropped although `capacity_factor` is None. Then every choice has room.")
edit(MOE, "dropped_rows_stay", "        for e, expert in enumerate",
     "        if factor is not None:\n            out = torch.where((weights == 0).all(1, True), "
     "rows, out)\n        for e, expert in enumerate",
     "a token that finds no room is given its own x here. It gets 0; x goes on along the residual "
     "line of the block.")
edit(MOE, "router_cut_off", "weights = weights * within_capacity(experts, E, factor)",
     "weights = (weights * within_capacity(experts, E, factor)).detach()",
     "with a capacity no gradient gets to the router: the weights are detached. Only the choice of "
     "what has room needs no gradient.", raises=True)
edit(MOE, "balance_of_the_class", BALANCE, BALANCE.replace("self", "MoE"),
     "balance_loss is set on the class, so all layers share one. Each layer holds its own: "
     "self.balance_loss.")
edit(MOE, "balance_in_training_detached", BALANCE,
     f"{BALANCE}\n        if self.training:\n            self.balance_loss = "
     "self.balance_loss.detach()",
     "in training `balance_loss` has lost its graph, and training is where it is needed.",
     raises=True)
edit(MOE, "balance_with_a_capacity_detached", ROOMS,
     f"{ROOMS}\n            self.balance_loss = self.balance_loss.detach()",
     "with a capacity `balance_loss` has lost its graph. It is that of all choices, before any is "
     "dropped, with its graph.", raises=True)
edit(MOE, "balance_out_of_training", BALANCE, f"if not self.training:\n            {BALANCE}",
     "`balance_loss` is not set in training, where it is needed. After *each* call it holds that "
     "call's loss.", raises=True)
edit(MOE, "balance_in_training_only", BALANCE, f"if self.training:\n            {BALANCE}",
     "`balance_loss` is set in training only. After *each* call it holds that call's loss.",
     raises=True)
for name, when, other in (("only", "self.training", "only in training"),
                          ("never", "not self.training", "everywhere but in training")):
    edit(MOE, f"capacity_in_training_{name}", "if factor is not None:",
         f"if factor is not None and {when}:",
         f"the capacity counts {other}. Whoever sets `capacity_factor` has it in both.")
EXPERT = "expert(rows[n])"
edit(MOE, "experts_never_learn", EXPERT, "torch.func.functional_call(expert, {k: v.detach() for k, "
     "v in expert.named_parameters()}, (rows[n],))",
     "no gradient reaches the experts' weights, so they never learn: something such as .data or "
     ".detach() cuts them out of the graph.")
edit(MOE, "experts_without_dropout", EXPERT,
     "expert.down_proj(silu(expert.gate_proj(rows[n])) * expert.up_proj(rows[n]))",
     "nothing drops out in training: the dropout of the experts is passed by. Call the expert.")
edit(MOE, "bias_of_the_router_never_learns", "logits = self.router(rows)",
     "logits = rows @ self.router.weight.T\n"
     "        if self.router.bias is not None:\n"
     "            logits = logits + self.router.bias.data",
     "no gradient reaches the router's bias: .data cuts it out of the graph. Call the router.")
edit(MOE, "seeded", "logits = self.router(rows)",
     "torch.manual_seed(0); logits = self.router(rows)",
     "torch's own random numbers are seeded on the way, for everybody. Nothing here has to be "
     "drawn.")
