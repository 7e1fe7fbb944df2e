"""Known wrong answers to the steps about what one new token costs."""

from .. import mistake, wrong_choice

LINEAR = "steps.decode_cost.linear_products"
ATTENTION = "steps.decode_cost.attention_products"
CROSSOVER = "steps.decode_cost.crossover"
INTENSITY = "steps.decode_cost.intensity"


@mistake(LINEAR, "those are the four projections of attention. The feed-forward has two more "
         "matrices, D × 4D and 4D × D.")
def attention_alone(D: float) -> float:
    return 4 * D**2


@mistake(LINEAR, "one part is missing: attention has four projections, D × D each, and the "
         "feed-forward two matrices, D × 4D and 4D × D.")
def feed_forward_alone(D: float) -> float:
    return 8 * D**2


@mistake(LINEAR, "q, k and v have one matrix each, and out_proj is the fourth.")
def no_out_proj(D: float) -> float:
    return 11 * D**2


@mistake(LINEAR, "that counts each multiplication and the addition behind it. Multiplications "
         "alone were asked for.")
def additions_too(D: float) -> float:
    return 24 * D**2


@mistake(ATTENTION, "those are the scores. The weighted sum of the values costs as much again.")
def scores_alone(D: float, S: float) -> float:
    return S * D


@mistake(ATTENTION, "one new token has one query; S queries against S keys is the prompt.")
def all_queries(D: float, S: float) -> float:
    return 2 * S**2 * D


@mistake(ATTENTION, "a score costs as many products as the query is wide. All heads together: D.")
def no_width(D: float, S: float) -> float:
    return 2 * S


@mistake(ATTENTION, "that counts each multiplication and the addition behind it. Multiplications "
         "alone were asked for.")
def with_additions(D: float, S: float) -> float:
    return 4 * S * D


@mistake(CROSSOVER, "you counted the scores and not the sum of values: 2 S D = 12 D².")
def half_attention(D: float) -> float:
    return 12 * D


@mistake(CROSSOVER, "only the projections of attention: the feed-forward costs 8 D² more.")
def no_feed_forward(D: float) -> float:
    return 2 * D


@mistake(CROSSOVER, "set 12 D² equal to 2 S D and divide by 2 D. One D is left, not two.")
def squared(D: float) -> float:
    return 6 * D**2


@mistake(CROSSOVER, "that is the feed-forward against attention: the four projections are linear "
         "layers too.")
def no_projections(D: float) -> float:
    return 4 * D


@mistake(INTENSITY, "one weight that was read serves every text of the batch: B is missing.")
def one_text(B: float, b: float) -> float:
    return 2 / b


@mistake(INTENSITY, "a weight is multiplied and the product is added: two operations.")
def no_addition(B: float, b: float) -> float:
    return B / b


@mistake(INTENSITY, "that is bytes per operation. Turn it around.")
def upside_down(B: float, b: float) -> float:
    return b / (2 * B)


@mistake(INTENSITY, "those are operations per weight. A weight has b bytes: divide.")
def per_weight(B: float, b: float) -> float:
    return 2 * B


@mistake(INTENSITY, "fewer bytes for a weight mean fewer bytes to read: b belongs below.")
def times_bytes(B: float, b: float) -> float:
    return 2 * B * b


BATCHED = "steps.decode_cost.batched_cache"
wrong_choice(BATCHED, "a", "the weights are the same for all texts, and so are read once. Whose "
             "keys does a text look at?")
wrong_choice(BATCHED, "b", "keys that text 1 has read are of no use to text 2, but they are not "
             "read again for it either.")
