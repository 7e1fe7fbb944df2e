"""Known wrong answers to the steps that lead a gradient backward through attention."""

from .. import edit, wrong_choice, wrong_number

VALUE = "steps.attention_backward.value_grad"
edit(VALUE, "not_transposed", "p.T @", "p @",
     "p is [T, S] and grad_out [T, Dv]: it takes pᵀ to bring S to the front. A value collects from "
     "every query that looked at it.", raises=True)
edit(VALUE, "turned", "p.T @ grad_out", "grad_out.T @ p",
     "this is dvᵀ, [Dv, S]. A gradient has the shape of what it belongs to: [S, Dv].")
edit(VALUE, "mean", "p.T @ grad_out", "p.T @ grad_out / p.shape[0]",
     "you averaged over the queries. What several queries send back to one value is added up.")
edit(VALUE, "unweighted", "p.T @ grad_out", "(p > 0).to(p).T @ grad_out",
     "every query sends everything back. Each sends only the share that it took: its weight.")

WEIGHT = "steps.attention_backward.weight_grad"
edit(WEIGHT, "not_transposed", "v.T", "v",
     "grad_out is [T, Dv] and v [S, Dv]: it takes vᵀ to sum over Dv.", raises=True)
edit(WEIGHT, "turned", "grad_out @ v.T", "v @ grad_out.T",
     "this is dpᵀ, [S, T]. A row belongs to a query: [T, S].")
edit(WEIGHT, "mean", "grad_out @ v.T", "grad_out @ v.T / v.shape[-1]",
     "you averaged over Dv. The output is a sum of weight · value, so the entries are added up.")

SCORE = "steps.attention_backward.score_grad"
edit(SCORE, "no_sum", "p * (dp - (p * dp).sum(-1, keepdim=True))", "p * dp",
     "the sum is missing: a score moves every weight of its row, since they share the whole.")
edit(SCORE, "entry_by_entry", "p * (dp - (p * dp).sum(-1, keepdim=True))", "p * (1 - p) * dp",
     "p(1 − p) is the diagonal of the Jacobian alone. The other weights of the row answer too, "
     "with −pᵢpⱼ.")
edit(SCORE, "over_the_queries", "sum(-1, keepdim=True)", "sum(0, keepdim=True)",
     "the sum runs over the queries, down the columns. A softmax lives in a row: dim=-1.")
edit(SCORE, "sum_without_p", "(p * dp).sum", "dp.sum",
     "the sum is over dp alone. It is the mean of dp with the weights p: Σ p·dp.")
edit(SCORE, "mean", "(p * dp).sum", "dp.mean",
     "a plain mean of dp is subtracted. It is the mean with the weights p: Σ p·dp.")
edit(SCORE, "of_everything", ".sum(-1, keepdim=True)", ".sum()",
     "one sum for everything. Each row is a softmax of its own and has its own sum.")
edit(SCORE, "no_p_in_front", "p * (dp - (p * dp).sum(-1, keepdim=True))",
     "dp - (p * dp).sum(-1, keepdim=True)",
     "the factor p in front is missing: a weight near 0 hardly answers to its score.")
edit(SCORE, "sum_outside", "p * (dp - (p * dp).sum(-1, keepdim=True))",
     "p * dp - (p * dp).sum(-1, keepdim=True)",
     "the factor p stands in front of the bracket, so the row's sum has it too.")
edit(SCORE, "arguments_changed", "p * (dp - (p * dp).sum(-1, keepdim=True))",
     "dp * (p - (p * dp).sum(-1, keepdim=True))",
     "p and dp have changed places. It is the softmax that is passed: p stands in front.")
edit(SCORE, "softmax_skipped", "p * (dp - (p * dp).sum(-1, keepdim=True))", "dp",
     "that is the gradient to the weights. The scores lie in front of the softmax.")
edit(SCORE, "no_keepdim", "sum(-1, keepdim=True)", "sum(-1)",
     "the sums have lost their dimension and line up with the columns instead of the rows. "
     "keepdim=True keeps it at size 1.", raises=True)
edit(SCORE, "sign", "p * (dp - (p * dp).sum(-1, keepdim=True))",
     "p * ((p * dp).sum(-1, keepdim=True) - dp)",
     "the sign is turned around: dp comes first, and the row's sum is taken off it.")
edit(SCORE, "sum_added", "dp - (", "dp + (",
     "the row's sum is subtracted: what one weight gains, the others lose.")

QUERY = "steps.attention_backward.query_grad"
edit(QUERY, "no_scale", " / math.sqrt(k.shape[-1])", "",
     "the factor 1/√Dh is missing. The score was divided by it on the way forward, so the gradient "
     "is on the way back.")
edit(QUERY, "turned", "ds @ k", "ds.T @ k",
     "ds is [T, S] and k [S, Dh]: the product has its shape right as it stands.", raises=True)
edit(QUERY, "by_d", "math.sqrt(k.shape[-1])", "k.shape[-1]",
     "you divided by Dh. The score was divided by √Dh, once.")
edit(QUERY, "multiplied", "/ math.sqrt", "* math.sqrt",
     "you multiplied by √Dh. The derivative of q·k/√Dh to q is k/√Dh.")
edit(QUERY, "by_eight", "math.sqrt(k.shape[-1])", "8",
     "8 is √Dh for a width of 64 only: take the root of k.shape[-1].")
edit(QUERY, "number_of_keys", "k.shape[-1]", "k.shape[0]",
     "that is the root of the number of keys. The scale has the width of a key, shape[-1].")
edit(QUERY, "mean", "ds @ k /", "ds @ k / k.shape[0] /",
     "you averaged over the keys. What the keys send back to one query is added up.")

KEY = "steps.attention_backward.key_grad"
edit(KEY, "no_scale", " / math.sqrt(q.shape[-1])", "",
     "the factor 1/√Dh is missing. The score was divided by it on the way forward, so the gradient "
     "is on the way back.")
edit(KEY, "not_transposed", "ds.T @ q", "ds @ q",
     "ds is [T, S] and q [T, Dh]: it takes dsᵀ to bring S to the front. A key collects from every "
     "query.", raises=True)
edit(KEY, "turned", "ds.T @ q", "q.T @ ds",
     "this is dkᵀ, [Dh, S]. A gradient has the shape of what it belongs to: [S, Dh].")
edit(KEY, "by_d", "math.sqrt(q.shape[-1])", "q.shape[-1]",
     "you divided by Dh. The score was divided by √Dh, once.")
edit(KEY, "multiplied", "/ math.sqrt", "* math.sqrt",
     "you multiplied by √Dh. The derivative of q·k/√Dh to k is q/√Dh.")
edit(KEY, "by_eight", "math.sqrt(q.shape[-1])", "8",
     "8 is √Dh for a width of 64 only: take the root of q.shape[-1].")
edit(KEY, "number_of_queries", "q.shape[-1]", "q.shape[0]",
     "that is the root of the number of queries. The scale has the width of a query, shape[-1].")

MASKED = "steps.attention_backward.masked_score"
wrong_choice(MASKED, "a", "that would change nothing: dp meets the factor p = 0 there, in front of "
             "the bracket and inside the sum. Which of the three is already so?")
wrong_choice(MASKED, "c", "−inf was a score, on the way forward. A gradient says how the loss "
             "answers, and it does not answer at all to a score that was replaced.")

COUNT = "steps.attention_backward.queries_of_a_key"
wrong_number(COUNT, 2, "the key's own position looks at it too: t ≥ j includes t = j.")
wrong_number(COUNT, 5, "queries 0 and 1 stand before key 2 and may not see it.")
wrong_number(COUNT, 1, "not only its own query: every later one may look at it as well.")
wrong_number(COUNT, 4, "positions count from 0: key 2 is the third, and queries 2, 3 and 4 see it.")

ROW = "steps.attention_backward.row_sum"
wrong_choice(ROW, "b", "a row of ds sums to 0: that is what the row's sum is subtracted for. Here "
             "the sum itself is asked for.")
wrong_choice(ROW, "c", "write out dp_tj = Σₑ g_te v_je and change the order of the two sums. "
             "Σⱼ p_tj v_je is a thing that you have a name for.")

PROJECTION = "steps.attention_backward.projection_grad"
edit(PROJECTION, "turned", "x.T @ dq", "dq.T @ x",
     "this is [Dh, D], the layout in which nn.Linear stores its weight. Here q = x W_q with W_q "
     "[D, Dh].")
edit(PROJECTION, "not_transposed", "x.T @ dq", "x @ dq",
     "x is [T, D] and dq [T, Dh]: it takes xᵀ to sum over the positions.", raises=True)
edit(PROJECTION, "mean", "x.T @ dq", "x.T @ dq / x.shape[0]",
     "you averaged over the positions. They all used the same W_q, so what they send back is "
     "added up.")

INPUT = "steps.attention_backward.input_grad"
WHOLE = "dq @ w_q.T + dk @ w_k.T + dv @ w_v.T"
edit(INPUT, "query_only", WHOLE, "dq @ w_q.T",
     "x was used three times: as query, as key and as value. The three gradients are added up.")
edit(INPUT, "value_only", WHOLE, "dv @ w_v.T",
     "x was used three times: as query, as key and as value. The three gradients are added up.")
edit(INPUT, "no_values", WHOLE, "dq @ w_q.T + dk @ w_k.T",
     "the values were made from x too: dv w_vᵀ is missing.")
edit(INPUT, "no_keys", WHOLE, "dq @ w_q.T + dv @ w_v.T",
     "the keys were made from x too: dk w_kᵀ is missing.")
edit(INPUT, "no_queries", WHOLE, "dk @ w_k.T + dv @ w_v.T",
     "the queries were made from x too: dq w_qᵀ is missing.")
edit(INPUT, "stacked", WHOLE, "torch.stack([dq @ w_q.T, dk @ w_k.T, dv @ w_v.T])",
     "these are three gradients in one tensor. x was used three times, so they are added up: "
     "[T, D].")
edit(INPUT, "side_by_side", WHOLE, "torch.cat([dq @ w_q.T, dk @ w_k.T, dv @ w_v.T], -1)",
     "the three gradients stand side by side. x was used three times, so they are added up: "
     "[T, D].")
edit(INPUT, "averaged", WHOLE, f"({WHOLE}) / 3",
     "the three gradients are added up, not averaged.")
edit(INPUT, "weights_changed", WHOLE, "dq @ w_k.T + dk @ w_q.T + dv @ w_v.T",
     "dq goes back through the matrix that made q, and dk through the one that made k.")
edit(INPUT, "not_transposed", WHOLE, "dq @ w_q + dk @ w_k + dv @ w_v",
     "on the way back each matrix is transposed: dq is [T, Dh], and dx [T, D].", raises=True)
