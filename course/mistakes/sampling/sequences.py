"""Known wrong answers: drawing, generation."""

import torch

from minillm import functional as F

from .. import edit, mistake

SAMPLE, GENERATE = "sampling.sample", "sampling.generate"

edit(SAMPLE, "generator_ignored", "generator=generator", "generator=None",
     "`generator` is not used, so the draw depends on torch's own seed. Pass it on.")
edit(SAMPLE, "uniform", "likely = F.softmax(logits)",
     "likely = (F.softmax(logits) > 0).to(logits.dtype)",
     "every token that is not at -inf was equally likely. Draw with the probabilities "
     "softmax(logits).")
edit(SAMPLE, "softmax_twice", "F.softmax(logits)", "F.softmax(F.softmax(logits))",
     "softmax was taken twice, which makes the draw nearly uniform.")
edit(SAMPLE, "column_left", ".view(logits.shape[:-1])", ".view(*logits.shape[:-1], 1)",
     "the result has a last dimension of 1 too many. One token for each row: [...].")
edit(SAMPLE, "flat", ".view(logits.shape[:-1])", ".flatten()",
     "the leading dimensions are gone. Bring the draws back into the shape [...].")
edit(SAMPLE, "float", ".view(logits.shape[:-1])", ".view(logits.shape[:-1]).to(logits.dtype)",
     "token ids are int64.")
edit(SAMPLE, "rows_only", "rows = likely.reshape(-1, likely.shape[-1])", "rows = likely",
     "torch.multinomial takes a vector or a matrix, not more dimensions. Flatten the leading ones "
     "and bring them back.", raises=True)


@mistake(SAMPLE, "this takes the most likely token, which is greedy. Draw with the probabilities.")
def greedy(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    return logits.argmax(-1)


edit(SAMPLE, "own_seed", "generator=generator", "generator=torch.Generator().manual_seed(0)",
     "the draw has a generator of its own, seeded anew at each call, so the same tokens come every "
     "time. Draw from the `generator` that came in.")


edit(SAMPLE, "seeded_without_a_generator", "generator=generator",
     "generator=generator or torch.Generator().manual_seed(0)",
     "without a generator the same tokens come every time: the draw makes one of its own, with a "
     "fixed seed. Hand None on, and torch's own random numbers are used.")
edit(SAMPLE, "greedy_without_a_generator", "    likely = F.softmax(logits)\n",
     "    if generator is None:\n        return logits.argmax(-1)\n"
     "    likely = F.softmax(logits)\n",
     "without a generator no chance is left: rows that are alike get the same token. The draw is "
     "from softmax(logits) there too, with torch's own random numbers.")
edit(SAMPLE, "seed_reset", "    rows = ", "    torch.manual_seed(0)\n    rows = ",
     "torch's own random numbers were seeded anew, for the whole program. Randomness comes from "
     "the `generator` that came in; no seed is set here.")
edit(SAMPLE, "matrix_left", ".view(logits.shape[:-1])", "",
     "these are the draws as multinomial gives them, [N, 1]. Bring them back into the shape [...].")
edit(SAMPLE, "int32", ".view(logits.shape[:-1])", ".view(logits.shape[:-1]).int()",
     "token ids are int64, as multinomial and argmax give them.")


@mistake(SAMPLE, "all tokens were drawn from the first row. Each row has its own distribution.")
def first_row_for_all(logits: torch.Tensor, generator: torch.Generator | None = None,
                      ) -> torch.Tensor:
    rows = F.softmax(logits).reshape(-1, logits.shape[-1])
    return torch.multinomial(rows[0], len(rows), replacement=True, generator=generator).view(
        logits.shape[:-1])


@mistake(SAMPLE, "one random number was used for all rows. Each row is drawn independently.")
def one_number_for_all(logits: torch.Tensor, generator: torch.Generator | None = None,
                       ) -> torch.Tensor:
    u = torch.rand(1, generator=generator, dtype=logits.dtype)
    cdf = F.softmax(logits).cumsum(-1)
    return (cdf < u).sum(-1).clamp(max=logits.shape[-1] - 1)


@mistake(SAMPLE, "a score below 0 can't be a weight: torch.multinomial wants probabilities. Take "
         "the softmax first.", raises=True)
def from_the_scores(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    rows = logits.reshape(-1, logits.shape[-1])
    return torch.multinomial(rows, 1, generator=generator).view(logits.shape[:-1])


@mistake(SAMPLE, "exp of a large score is inf. softmax subtracts the largest score of the row "
         "first.",
         raises=True)
def from_exp(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    rows = logits.exp().reshape(-1, logits.shape[-1])
    return torch.multinomial(rows, 1, generator=generator).view(logits.shape[:-1])


@mistake(SAMPLE, "the running sum was not that of a distribution: it has to end at 1. Divide by "
         "the sum first, or the last token takes what is left over.")
def unnormalised_cdf(logits: torch.Tensor, generator: torch.Generator | None = None,
                     ) -> torch.Tensor:
    weights = (logits - logits.amax(-1, keepdim=True)).exp()
    u = torch.rand(logits.shape[:-1], generator=generator, dtype=logits.dtype)
    return (weights.cumsum(-1) < u[..., None]).sum(-1).clamp(max=logits.shape[-1] - 1)


@mistake(SAMPLE, "the first token whose running sum is *not* above u was taken, and so it is "
         "always token 0. Take the first whose sum is above u.")
def first_below(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    u = torch.rand(*logits.shape[:-1], 1, generator=generator, dtype=logits.dtype)
    return (F.softmax(logits).cumsum(-1) > u).long().argmin(-1)


@mistake(SAMPLE, "the noise is not Gumbel noise: −log(−log u). Uniform noise on the scores gives "
         "other probabilities.")
def uniform_noise(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    u = torch.rand(logits.shape, generator=generator, dtype=logits.dtype)
    return (logits + u).argmax(-1)


@mistake(SAMPLE, "normal noise on the scores gives other probabilities than softmax. For a draw by "
         "argmax it has to be Gumbel noise: −log(−log u).")
def normal_noise(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    noise = torch.randn(logits.shape, generator=generator, dtype=logits.dtype)
    return (logits + noise).argmax(-1)


CALL = "next_logits(model, ids[:, -size:], cache)"
edit(GENERATE, "no_window", CALL, "next_logits(model, ids, cache)",
     "the whole sequence went into the model, which can look at `block_size` ids only. Take the "
     "last ones.", raises=True)
edit(GENERATE, "first_ids", CALL, "next_logits(model, ids[:, :size], cache)",
     "the *first* ids were the context, so beyond `block_size` the same token comes again and "
     "again. Take the last ones.")
edit(GENERATE, "last_id_only", CALL, "next_logits(model, ids[:, -1:], cache)",
     "only the last id went into the model. Without a cache it needs the whole context.")
edit(GENERATE, "one_too_few", CALL, "next_logits(model, ids[:, -(size - 1):], cache)",
     "the window is one id too short: the context is the last `block_size` ids.")
edit(GENERATE, "prompt_lost", "ids = torch.cat([ids, new[:, None]], dim=1)",
     "ids = torch.cat([ids[:, -size:], new[:, None]], dim=1)",
     "the ids that left the window are lost. Crop what the model sees, and keep the sequence "
     "whole.")
edit(GENERATE, "first_position", CALL, "model(ids[:, -size:])[0][:, 0]",
     "these are the scores after the *first* id. The last position predicts the next token.")
edit(GENERATE, "position_before", CALL,
     "model(ids[:, -size:])[0][:, -min(2, ids.shape[1])]",
     "these are the scores of the position before the last. The last position predicts the next "
     "token.")
edit(GENERATE, "mean_over_positions", CALL, "model(ids[:, -size:])[0].mean(1)",
     "the scores of all positions were averaged. The last position predicts the next token.")
edit(GENERATE, "temperature_last",
     "logits = temperature(logits, t)\n                logits = logits if k is None else "
     "top_k(logits, k)\n                logits = logits if p is None else top_p(logits, p)",
     "logits = logits if k is None else top_k(logits, k)\n                logits = logits if p is "
     "None else top_p(logits, p)\n                logits = temperature(logits, t)",
     "top-p came before the temperature, so the set does not answer to it. Temperature first.")
edit(GENERATE, "top_p_first",
     "logits = logits if k is None else top_k(logits, k)\n                logits = logits if p is "
     "None else top_p(logits, p)",
     "logits = logits if p is None else top_p(logits, p)\n                logits = logits if k is "
     "None else top_k(logits, k)",
     "top-p came before top-k. After top-k the mass is shared by k tokens only, so p is reached "
     "sooner.")
edit(GENERATE, "no_temperature", "logits = temperature(logits, t)\n", "logits = logits\n",
     "t does nothing but for t = 0.")
edit(GENERATE, "t_times", "temperature(logits, t)", "temperature(logits, 1 / t)",
     "the scores are multiplied by t, so a high temperature sharpens.")
edit(GENERATE, "no_top_k", "logits if k is None else top_k(logits, k)", "logits", "k does nothing.")
edit(GENERATE, "no_top_p", "logits if p is None else top_p(logits, p)", "logits", "p does nothing.")
edit(GENERATE, "zero_p_is_none", "logits if p is None else top_p(logits, p)",
     "top_p(logits, p) if p else logits",
     "with p = 0 nothing is cut, and one token should be left. Only None means no top-p, and "
     "`if p` is false for 0 as well: ask `p is None`.")
edit(GENERATE, "min_p_for_top_p", "top_p(logits, p)", "min_p(logits, p)",
     "p cuts as in min-p, by a share of the largest probability. It is the mass of top-p.")
edit(GENERATE, "always_greedy", "if t == 0:", "if True:",
     "the most likely token is taken at every temperature. Only t = 0 is greedy.")
edit(GENERATE, "never_greedy", "if t == 0:", "if t < 0:",
     "t = 0 has to be greedy: temperature refuses it, so ask before you divide.", raises=True)
edit(GENERATE, "zero_is_one", "if t == 0:\n                new = logits.argmax(-1)  # (B,)",
     "if t == 0:\n                t = 1.0\n                new = sample(logits, generator)",
     "t = 0 draws as if it were 1. It has to take the most likely token.")
edit(GENERATE, "generator_ignored", "sample(logits, generator)", "sample(logits)",
     "`generator` is not used, so two runs with one seed differ. Pass it to sample.")
edit(GENERATE, "reseeded", "sample(logits, generator)",
     "sample(logits, torch.Generator().manual_seed(0))",
     "each token is drawn with a fresh generator, so the same noise comes every time. One "
     "generator serves the whole run.")
edit(GENERATE, "seed_reset", "new = sample(", "torch.manual_seed(0)\n                new = sample(",
     "torch's own random numbers were seeded anew, for the whole program. Randomness comes from "
     "the `generator` that came in; no seed is set here.")
edit(GENERATE, "left_at_rest", "    with at_rest(model), torch.inference_mode():",
     "    if hasattr(model, \"eval\"):\n        model.eval()\n    with torch.no_grad():",
     "the model is left in evaluation mode. `at_rest` puts it back into the mode it was in.")
edit(GENERATE, "greedy_below_one", "if t == 0:", "if t < 1:",
     "every t below 1 was taken as greedy. Only t = 0 is; the others sharpen and draw.")
edit(GENERATE, "small_t_greedy", "if t == 0:", "if t < 0.1:",
     "a small t was taken as greedy. Only t = 0 is: any other divides the scores, and a token is "
     "drawn.")
edit(GENERATE, "newest_id_with_a_cache", CALL,
     "model(ids[:, -size:])[0][:, -1] if cache is None else "
     "model(ids[:, -1:], cache=cache)[0][:, -1]",
     "with a cache only the newest id goes into the model, and the cache has not seen the prompt, "
     "nor does it move on with the window. next_logits sees to both.")
edit(GENERATE, "everything_with_a_cache", CALL,
     "model(ids[:, -size:], **({} if cache is None else {'cache': cache}))[0][:, -1]",
     "with a cache the whole context goes into the model again, behind what the cache holds. "
     "next_logits hands over only what is new.", raises=True)
edit(GENERATE, "seeded_without_a_generator", "    with at_rest(model)",
     "    generator = generator or torch.Generator().manual_seed(0)\n    with at_rest(model)",
     "without a generator every run gives the same text: one with a fixed seed is made. Hand None "
     "on to sample, which then takes torch's own random numbers.")
edit(GENERATE, "own_seed", "    with at_rest(model)",
     "    generator = torch.Generator().manual_seed(0)\n    with at_rest(model)",
     "each run makes a generator of its own, so it gives the same text every time. Draw from the "
     "`generator` that came in.")
edit(GENERATE, "one_token_for_all_rows", "new = sample(logits, generator)",
     "new = sample(logits, generator)[-1:].expand(len(ids))",
     "all rows got the token of one. Each row goes its own way.")
edit(GENERATE, "first_rows_token", "new = sample(logits, generator)",
     "new = sample(logits[0], generator).expand(len(ids))",
     "all rows got the token that was drawn for the first. Each row goes its own way: sample takes "
     "all of them.")
edit(GENERATE, "new_tokens_only", "return ids", "return ids[:, -max_new_tokens:]",
     "only the new tokens came back. The prompt goes first: [B, T + max_new_tokens].")
edit(GENERATE, "put_in_front", "torch.cat([ids, new[:, None]], dim=1)",
     "torch.cat([new[:, None], ids], dim=1)",
     "the new token was put in front. It follows the others.")
edit(GENERATE, "one_step", "for _ in range(max_new_tokens):", "for _ in range(1):",
     "one token came, however many were asked for.")
edit(GENERATE, "one_more_step", "for _ in range(max_new_tokens):",
     "for _ in range(max_new_tokens + 1):", "one token too many.")
