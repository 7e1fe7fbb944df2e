"""Known wrong answers: temperature."""

from .. import edit

T = "sampling.temperature"

edit(T, "multiplied", "logits / t", "logits * t",
     "the scores are multiplied by t, so a high temperature sharpens. Divide by t.")
edit(T, "probabilities", "logits / t", "F.softmax(logits / t)",
     "these are probabilities. Scores are asked for: the functions that cut take scores, and "
     "softmax comes last.")
edit(T, "log_probabilities", "logits / t", "F.log_softmax(logits / t)",
     "each row has been moved by its log S. softmax would not notice, but the docstring asks for "
     "the scores divided by t, no more.")
edit(T, "divided_probabilities", "logits / t", "F.softmax(logits) / t",
     "probabilities divided by t don't sum to 1, and the next softmax would flatten them again. "
     "Divide the scores.")
edit(T, "power", "logits / t", "logits ** (1 / t)",
     "the probabilities are taken to the power 1/t; for that the scores are *divided* by t.")
edit(T, "only_positive", "logits / t", "torch.where(logits > 0, logits / t, logits)",
     "negative scores were left alone. All scores of a row are divided, or their differences "
     "change unevenly.")
edit(T, "nothing", "logits / t", "logits.clone()",
     "the scores came back as they went in: t does nothing.")
edit(T, "from_the_largest", "logits / t", "(logits - logits.amax(-1, keepdim=True)) / t",
     "each row has been moved by its largest score. softmax would not notice, but the docstring "
     "asks for the scores divided by t, no more.")
edit(T, "no_refusal", "if not 0 < t < math.inf:", "if t < 0:",
     "t = 0 has to be refused: dividing by it gives inf or nan in silence. Keep the two lines that "
     "raise ValueError.")
edit(T, "clamped", "if not 0 < t < math.inf:", "if (t := max(t, 1e-6)) < 0:",
     "t = 0 was replaced by a small number, which is nearly greedy but not where scores are equal. "
     "Here t = 0 has to be refused.")
edit(T, "in_place", "return logits / t", "logits /= t\n    return logits",
     "this changes the scores of whoever called it: `/=` works in place. Write `logits / t`, which "
     "makes a new tensor.", raises=True)
edit(T, "no_gradient", "logits / t", "(logits / t).detach()",
     "no gradient gets back to the scores: something cuts the graph, such as .detach(), .item() or "
     "NumPy.", raises=True)
edit(T, "float64", "logits / t", "logits.float() / t",
     "the result has another dtype than the scores: nothing has to be cast.")
edit(T, "exponential", "logits / t", "(logits / t).exp()",
     "these are weights: exp belongs to softmax, which comes when a token is drawn. The scores "
     "divided by t are asked for, no more.")
edit(T, "smallest_of_its_own", "logits / t", "logits / max(t, 0.1)",
     "a small t was replaced by a larger one. Every t above 0 divides as it is.")
