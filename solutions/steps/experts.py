"""Answers of the steps about a mixture of experts: size, routing, balance, capacity, traffic."""


def held(D: float, F: float, E: float) -> float:
    """Weights of E SwiGLU experts of hidden width F and of the router, no biases."""
    ### BEGIN SOLUTION
    return 3 * D * F * E + D * E
    ### END SOLUTION


def used(D: float, F: float, E: float, k: float) -> float:
    """Of these, the weights that one token meets when it visits k experts."""
    ### BEGIN SOLUTION
    return 3 * D * F * k + D * E
    ### END SOLUTION


mixtral_held = 46.7

mixtral_used = 12.88

mixtral_memory = 93.4

same_weights = "a"

by_hand = [[0.644, 0.237], [0.731, 0.269]]

top_one = "c"

balanced = 1


def collapsed(E: float) -> float:
    """The balance loss when every choice falls on one expert, and with probability 1."""
    ### BEGIN SOLUTION
    return E
    ### END SOLUTION


through = "b"


def balance_slope(E: float, N: float, p: float, f: float, m: float) -> float:
    """∂(E Σ f P)/∂z for one token's logit z of one expert, whose probability is p and load f.

    There are E experts and N tokens; m is Σₑ fₑ pₑ over that token's probabilities.
    """
    ### BEGIN SOLUTION
    return E / N * p * (f - m)
    ### END SOLUTION


capacity = 4

dropped = [4, 5]

leak = "b"


def traffic(D: float, k: float) -> float:
    """Bytes that one token sends and gets back in one layer, bfloat16, its experts elsewhere."""
    ### BEGIN SOLUTION
    return 2 * (2 * D * k)
    ### END SOLUTION
