"""Known wrong answers to the steps about a mixture of experts."""

from .. import mistake, wrong_choice, wrong_number, wrong_value

HELD = "steps.experts.held"


@mistake(HELD, "the router is missing: it scores E experts from a vector of width D.")
def no_router(D: float, F: float, E: float) -> float:
    return 3 * D * F * E


@mistake(HELD, "an expert is a SwiGLU, with three matrices.")
def plain_experts(D: float, F: float, E: float) -> float:
    return 2 * D * F * E + D * E


@mistake(HELD, "that is one expert and the router. All E are kept.")
def one_expert(D: float, F: float, E: float) -> float:
    return 3 * D * F + D * E


@mistake(HELD, "the router's matrix is D × E: one column for each expert. Here it has one column "
               "in "
         "all.")
def router_of_one(D: float, F: float, E: float) -> float:
    return 3 * D * F * E + D


@mistake(HELD, "each expert has been given a router of its own. There is one, D × E.")
def router_each(D: float, F: float, E: float) -> float:
    return (3 * D * F + D * E) * E


USED = "steps.experts.used"


@mistake(USED, "these are all the weights. A token meets k of the E experts.")
def all_of_them(D: float, F: float, E: float, k: float) -> float:
    return 3 * D * F * E + D * E


@mistake(USED, "the router is missing. It is met by every token, and it scores all E experts.")
def used_no_router(D: float, F: float, E: float, k: float) -> float:
    return 3 * D * F * k


@mistake(USED, "the router does not shrink to k / E: it scores all E experts before k are chosen, "
               "so D · E.")
def router_of_k(D: float, F: float, E: float, k: float) -> float:
    return 3 * D * F * k + D * k


@mistake(USED, "an expert is a SwiGLU, with three matrices.")
def used_plain(D: float, F: float, E: float, k: float) -> float:
    return 2 * D * F * k + D * E


TOTAL = "steps.experts.mixtral_held"
wrong_number(TOTAL, 56, "8 × 7 counts attention and embeddings eight times. Only the feed-forward "
             "layers are there eight times.")
wrong_number(TOTAL, 45.0972, "these are the experts alone. Add attention, embeddings and router.")
wrong_number(TOTAL, 12.8797, "that is what one token meets. All eight experts are held.")
wrong_number(TOTAL, 46.4406, "embedding and output head are missing: 32000 · 4096 each.")
wrong_number(TOTAL, 46.5717, "only one of embedding and output head is counted. They are two "
             "matrices here.")
wrong_number(TOTAL, 45.3605, "attention is missing: four matrices in each layer.")
wrong_number(TOTAL, 31.67, "an expert has three matrices, not two.")
wrong_number(TOTAL, 47.509, "k_proj and v_proj have 8 heads of 128 columns, not 32.")
wrong_number(TOTAL, 46702792704, "in billions, please: divide by 10⁹.")

ACTIVE = "steps.experts.mixtral_used"
wrong_number(ACTIVE, 14, "2 × 7 counts attention and embeddings twice. Only the experts are met "
             "twice.")
wrong_number(ACTIVE, 11.2743, "these are the two experts of each layer. Attention, embeddings and "
             "router are met as well.")
wrong_number(ACTIVE, 11.6757, "that is the total divided by four. Only the experts shrink to 2 of "
                              "8.")
wrong_number(ACTIVE, 46.7028, "that is everything. A token meets 2 of the 8 experts in each layer.")
wrong_number(ACTIVE, 7.2426, "that is one expert a layer. Two are visited.")
wrong_number(ACTIVE, 12.6176, "embedding and output head are missing: 32000 · 4096 each.")
wrong_number(ACTIVE, 12.7486, "only one of embedding and output head is counted. The question "
                              "counts "
             "both.")

MEMORY = "steps.experts.mixtral_memory"
wrong_number(MEMORY, 25.76, "that is what one token reads. Which experts the next token wants is "
                            "not "
             "known, so all are kept.")
wrong_number(MEMORY, 46.7028, "that is a byte for each weight. A bfloat16 has two.")
wrong_number(MEMORY, 186.811, "that is four bytes for each weight, float32. A bfloat16 has two.")
wrong_number(MEMORY, 86.99, "that is in GiB, 2³⁰ bytes. GB are 10⁹.")
wrong_number(MEMORY, 747.2446, "bits and bytes: a bfloat16 has 16 bits, which are 2 bytes.")

wrong_choice("steps.experts.same_weights", "b", "dividing by the sum of the kept ones takes "
                                                "exp(zᵢ)/S "
             "to exp(zᵢ) over the sum of the kept exp(z): S cancels. That is a softmax over them.")
wrong_choice("steps.experts.same_weights", "c", "softmax keeps the order, so the k largest "
             "probabilities belong to the k largest logits.")

HAND = "steps.experts.by_hand"
wrong_value(HAND, "both_sum_to_one", [[0.731, 0.269]] * 2, "the first row is asked for as it is, "
            "before anything is divided: probabilities among all four experts.")
wrong_value(HAND, "neither", [[0.644, 0.237]] * 2, "the second row is to sum to 1: divide both "
            "numbers by their sum.")
wrong_value(HAND, "rows_swapped", [[0.731, 0.269], [0.644, 0.237]], "the rows have changed places: "
            "first as they are, then made to sum to 1.")
wrong_value(HAND, "turned", [[0.644, 0.731], [0.237, 0.269]], "rows and columns have changed "
            "places: the two weights of one way stand side by side in a row.")
wrong_value(HAND, "logits", [[2.0, 1.0], [2 / 3, 1 / 3]], "these are the logits. Take the softmax "
                                                          "of "
            "all four first.")
wrong_value(HAND, "all_four", [[0.644, 0.237, 0.087, 0.032]] * 2, "all four are kept. Only the two "
            "largest are.")
wrong_value(HAND, "softmax_twice", [[0.644, 0.237], [0.600, 0.400]], "a second softmax, of the "
            "probabilities, flattens them. Divide by their sum instead.")

wrong_choice("steps.experts.top_one", "a", "without dividing the weight is p, and it moves with "
                                           "the "
             "logits. Divided by itself it is p / p. What is the slope of that?")
wrong_choice("steps.experts.top_one", "b", "dividing by p does not only scale: the p below moves "
                                           "as "
             "well, and p / p does not move at all.")
wrong_choice("steps.experts.top_one", "d", "the weight is p / p = 1 whatever the logits are, so no "
             "row of the router can change it.")

wrong_number("steps.experts.balanced", 0.25, "the factor E is missing: four terms of ¼ · ¼ sum to "
                                             "¼, "
             "and E makes it 1.")
wrong_number("steps.experts.balanced", 0.0625, "that is one term, ¼ · ¼. Add four of them and "
             "multiply by E.")
wrong_number("steps.experts.balanced", 4, "that is for one expert that gets everything. In "
                                          "balance f "
             "and P are ¼ each.")
wrong_number("steps.experts.balanced", 0, "it is not a distance that would be 0 in balance: 4 · 4 "
                                          "· ¼ "
             "· ¼.")
wrong_number("steps.experts.balanced", 16, "f and P are shares: each of them sums to 1 over the "
                                           "four "
             "experts.")
COLLAPSED = "steps.experts.collapsed"


@mistake(COLLAPSED, "the factor E in front is missing: one term is 1 · 1, times E.")
def no_factor(E: float) -> float:
    return 1.0


@mistake(COLLAPSED, "f and P are shares, at most 1. E comes in once, as the factor in front.")
def squared(E: float) -> float:
    return E * E


@mistake(COLLAPSED, "the terms of the other experts are 0, and that of the one is 1 · 1: they add, "
         "nothing is averaged.")
def inverse(E: float) -> float:
    return 1 / E


@mistake(COLLAPSED, "only one expert has f and P above 0, and both are 1. The others give 0, not "
                    "−1.")
def minus_the_others(E: float) -> float:
    return E - 1


wrong_choice("steps.experts.through", "a", "f counts choices, and a count does not change when a "
             "logit moves a little.")
wrong_choice("steps.experts.through", "c", "P moves with the logits. f counts choices: its slope "
                                           "is 0 "
             "wherever it has one.")
wrong_choice("steps.experts.through", "d", "then the loss could not train anything. P is a mean of "
             "softmax probabilities, which have slopes.")

SLOPE = "steps.experts.balance_slope"


@mistake(SLOPE, "this is the slope to P. From p to its own logit and the others leads the softmax: "
         "p·(f − m), as in lesson 01.")
def to_p_only(E: float, N: float, p: float, f: float, m: float) -> float:
    return E / N * f


@mistake(SLOPE, "only the diagonal of the softmax Jacobian is used. The logit moves the other "
         "probabilities too.")
def diagonal_only(E: float, N: float, p: float, f: float, m: float) -> float:
    return E / N * f * p * (1 - p)


@mistake(SLOPE, "P is a mean over N tokens: this one has a share of 1/N in it.")
def no_mean(E: float, N: float, p: float, f: float, m: float) -> float:
    return E * p * (f - m)


@mistake(SLOPE, "the factor E in front of the sum is missing.")
def no_experts(E: float, N: float, p: float, f: float, m: float) -> float:
    return p * (f - m) / N


@mistake(SLOPE, "the sign: an expert with more load than the mean gets a positive slope, so that a "
         "step downhill lowers its logit.")
def other_sign(E: float, N: float, p: float, f: float, m: float) -> float:
    return E / N * p * (m - f)


@mistake(SLOPE, "the second term is missing: Jᵀ·f is p·(f − m).")
def no_m(E: float, N: float, p: float, f: float, m: float) -> float:
    return E / N * p * f


@mistake(SLOPE, "the slope of the softmax has a factor p in front: p·(g − Σ p g).")
def no_p(E: float, N: float, p: float, f: float, m: float) -> float:
    return E / N * (f - m)


CAPACITY = "steps.experts.capacity"
wrong_number(CAPACITY, 3, "3.75 is rounded up, so that a factor of 1 always has room for a "
                          "balanced "
             "load. (Without the factor it would be ⌈2.5⌉, also 3.)")
wrong_number(CAPACITY, 3.75, "an expert takes whole tokens. Which way is it rounded?")
wrong_number(CAPACITY, 2, "each token makes k = 2 choices: there are N · k = 10 to be shared out.")
wrong_number(CAPACITY, 15, "that is for all experts together. Each of the four gets its share.")
wrong_number(CAPACITY, 8, "N · k is 10, not 20: five tokens with two choices each.")
DROPPED = "steps.experts.dropped"
wrong_value(DROPPED, "last_come", [0, 2], "these come first, and there is room for two. First "
                                          "come, "
            "first served.")
wrong_value(DROPPED, "all_of_the_full_one", [0, 2, 4, 5], "an expert that is full still serves "
                                                          "those "
            "it has room for.")
wrong_value(DROPPED, "from_one", [5, 6], "tokens are counted from 0.")
wrong_value(DROPPED, "capacity_of_three", [5], "the capacity is ⌈1 · 6 · 1 / 3⌉ = 2, not 3.")
wrong_value(DROPPED, "capacity_of_one", [2, 4, 5], "the capacity is ⌈1 · 6 · 1 / 3⌉ = 2, not 1.")
wrong_value(DROPPED, "experts", [0, 0], "these are the experts. The tokens are asked for.")
wrong_choice("steps.experts.leak", "a", "when an expert is full, the order decides who is served, "
                                        "and "
             "a choice that is not served adds nothing.")
wrong_choice("steps.experts.leak", "c", "the first choices go first, so they are dropped less "
                                        "often. "
             "Who waits behind them?")

TRAFFIC = "steps.experts.traffic"


@mistake(TRAFFIC, "half of it is missing. D numbers of two bytes go to each expert, and as many "
                  "come "
         "back.")
def one_way(D: float, k: float) -> float:
    return 2 * D * k


@mistake(TRAFFIC, "these are numbers, and one way. Each has two bytes, and the result comes back.")
def numbers(D: float, k: float) -> float:
    return D * k


@mistake(TRAFFIC, "the token goes to each of its k experts.")
def to_one(D: float, k: float) -> float:
    return 4 * D


@mistake(TRAFFIC, "the token goes to k experts, and a row of D numbers comes back from each.")
def one_comes_back(D: float, k: float) -> float:
    return 2 * D * (k + 1)


@mistake(TRAFFIC, "that is float32. A bfloat16 has two bytes.")
def float32(D: float, k: float) -> float:
    return 8 * D * k


@mistake(TRAFFIC, "a bfloat16 has 16 bits, which are 2 bytes.")
def bits(D: float, k: float) -> float:
    return 32 * D * k
