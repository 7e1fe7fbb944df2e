"""Answers of the steps about SwiGLU: its weights and width, its gate, its backward."""


def plain_weights(d: float) -> float:
    """Weights of a plain feed-forward layer of model width d and hidden width 4d, no biases."""
    ### BEGIN SOLUTION
    return 2 * d * (4 * d)
    ### END SOLUTION


def gated_weights(d: float, f: float) -> float:
    """Weights of a SwiGLU of model width d and hidden width f, no biases."""
    ### BEGIN SOLUTION
    return 3 * d * f
    ### END SOLUTION


def width(d: float) -> float:
    """The hidden width f at which a SwiGLU has as many weights as the plain layer."""
    ### BEGIN SOLUTION
    return 8 * d / 3
    ### END SOLUTION


llama_width = 11008

excess = 0.78125

gate = "a"


def up_gradient(dh: float, g: float, u: float, s: float) -> float:
    """∂L/∂u for h = silu(g)·u, as a function of dh = ∂L/∂h, g, u and s = σ(g)."""
    ### BEGIN SOLUTION
    return dh * g * s
    ### END SOLUTION


def gate_gradient(dh: float, g: float, u: float, s: float) -> float:
    """∂L/∂g for h = silu(g)·u, as a function of dh = ∂L/∂h, g, u and s = σ(g)."""
    ### BEGIN SOLUTION
    return dh * u * s * (1 + g * (1 - s))
    ### END SOLUTION
