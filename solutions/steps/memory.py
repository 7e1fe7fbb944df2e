"""Answers of the steps about bytes: of the cache, of a card, of training (lesson 11)."""

per_head = 256


def values_held(n_layer: float, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    """Numbers in a cache of n_layer layers for B texts of S tokens each."""
    ### BEGIN SOLUTION
    return 2 * n_layer * Hkv * Dh * S * B
    ### END SOLUTION


per_token_7b = 524_288

gib_7b = 2

gb_eight = 17.18

gib_70b = 1.25


def sharing_gain(H: float, Hkv: float) -> float:
    """What Hkv key heads for H query heads save of the cache, as a part of what MQA saves."""
    ### BEGIN SOLUTION
    return (H - Hkv) / (H - 1)
    ### END SOLUTION


mib_mini = 32


def texts_that_fit(card: float, weights: float, reserve: float, per_text: float) -> float:
    """Whole texts whose caches fit beside weights and reserve; 0 if even those do not fit."""
    ### BEGIN SOLUTION
    return max(0, (card - weights - reserve) // per_text)
    ### END SOLUTION


what_saves = [3, 2, 1, 5, 6, 4]


def training_bytes(N: float) -> float:
    """Bytes of N weights in training with AdamW, all in float32, without activations."""
    ### BEGIN SOLUTION
    return 16 * N
    ### END SOLUTION


square_growth = 8
