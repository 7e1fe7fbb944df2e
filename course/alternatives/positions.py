"""Right answers to `minillm.positions` in other styles."""

import math

import torch

from . import alternative

WAVES, TABLE = "positions.wavelengths", "positions.sinusoidal_table"
SHIFT, LEARNED = "positions.shift_matrix", "positions.LearnedPositions"


@alternative(WAVES)
def one_over_frequency(D: int, base: float = 10000.0) -> torch.Tensor:
    frequency = 1.0 / base ** (torch.arange(0, D, 2).float() / D)
    return 2 * torch.pi / frequency


@alternative(WAVES)
def with_a_list(D: int, base: float = 10000.0) -> torch.Tensor:
    return torch.tensor([math.tau * base ** (2 * i / D) for i in range(D // 2)])


@alternative(WAVES)
def through_exp(D: int, base: float = 10000.0) -> torch.Tensor:
    i = torch.arange(D // 2, dtype=torch.float32)
    return torch.exp(math.log(base) * 2 * i / D).mul(2 * math.pi)


@alternative(TABLE)
def into_an_empty_table(T: int, D: int, base: float = 10000.0) -> torch.Tensor:
    table = torch.zeros(T, D)
    position = torch.arange(T, dtype=torch.float32).unsqueeze(1)
    factor = torch.exp(torch.arange(0, D, 2).float() * (-math.log(base) / D))
    table[:, 0::2] = torch.sin(position * factor)
    table[:, 1::2] = torch.cos(position * factor)
    return table


@alternative(TABLE)
def number_by_number(T: int, D: int, base: float = 10000.0) -> torch.Tensor:
    rows = []
    for m in range(T):
        row = []
        for j in range(D):
            angle = m / base ** (2 * (j // 2) / D)
            row.append(math.sin(angle) if j % 2 == 0 else math.cos(angle))
        rows.append(row)
    return torch.tensor(rows)


@alternative(TABLE)
def as_one_sine(T: int, D: int, base: float = 10000.0) -> torch.Tensor:
    j = torch.arange(D, dtype=torch.float64)
    omega = base ** (-2 * torch.div(j, 2, rounding_mode="floor") / D)
    angles = torch.outer(torch.arange(T, dtype=torch.float64), omega) + (j % 2) * math.pi / 2
    return angles.sin().float()


@alternative(TABLE)
def step_by_step(T: int, D: int, base: float = 10000.0) -> torch.Tensor:
    step = torch.zeros(D, D, dtype=torch.float64)
    for i in range(0, D, 2):
        c, s = math.cos(base ** (-i / D)), math.sin(base ** (-i / D))
        step[i:i + 2, i:i + 2] = torch.tensor([[c, s], [-s, c]])
    rows = [torch.tensor([0.0, 1.0] * (D // 2), dtype=torch.float64)]
    for _ in range(T - 1):
        rows.append(step @ rows[-1])
    return torch.stack(rows[:T]).float() if T else torch.zeros(0, D)


@alternative(TABLE)
def by_complex_powers(T: int, D: int, base: float = 10000.0) -> torch.Tensor:
    omega = torch.tensor([base ** (-2 * i / D) for i in range(D // 2)], dtype=torch.float64)
    z = torch.polar(torch.ones_like(omega), omega) ** torch.arange(T)[:, None]
    return torch.view_as_real(z).flip(-1).reshape(T, D).float()


@alternative(SHIFT)
def into_zeros(k: int, D: int, base: float = 10000.0) -> torch.Tensor:
    M = torch.zeros(D, D)
    for i in range(D // 2):
        x = k * base ** (-2 * i / D)
        M[2 * i, 2 * i] = M[2 * i + 1, 2 * i + 1] = math.cos(x)
        M[2 * i, 2 * i + 1], M[2 * i + 1, 2 * i] = math.sin(x), -math.sin(x)
    return M


@alternative(SHIFT)
def with_diagonals(k: int, D: int, base: float = 10000.0) -> torch.Tensor:
    x = k * base ** (-torch.arange(0, D, 2) / D)
    off = torch.stack([x.sin(), torch.zeros_like(x)], -1).flatten()[:-1]
    return torch.diag(x.cos().repeat_interleave(2)) + torch.diag(off, 1) - torch.diag(off, -1)


@alternative(SHIFT)
def power_of_one_step(k: int, D: int, base: float = 10000.0) -> torch.Tensor:
    omega = [base ** (-2 * i / D) for i in range(D // 2)]
    step = torch.zeros(D, D, dtype=torch.float64)
    for i, w in enumerate(omega):
        c, s = math.cos(w), math.sin(w)
        step[2 * i:2 * i + 2, 2 * i:2 * i + 2] = torch.tensor([[c, s], [-s, c]])
    moved: torch.Tensor = torch.linalg.matrix_power(step, k)
    return moved.float()


@alternative(SHIFT)
def exponential(k: int, D: int, base: float = 10000.0) -> torch.Tensor:
    turn = torch.tensor([[0.0, 1.0], [-1.0, 0.0]], dtype=torch.float64)
    omega = torch.tensor([base ** (-2 * i / D) for i in range(D // 2)], dtype=torch.float64)
    return torch.matrix_exp(k * torch.kron(torch.diag(omega), turn)).float()


@alternative(LEARNED)
class Indexed(torch.nn.Module):
    def __init__(self, max_len: int, D: int) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(max_len, D)

    def forward(self, T: int, start: int = 0) -> torch.Tensor:
        return self.table.weight[torch.arange(T) + start]


@alternative(LEARNED)
class SlicedAfterATest(torch.nn.Module):
    def __init__(self, max_len: int, D: int) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(max_len, D)

    def forward(self, T: int, start: int = 0) -> torch.Tensor:
        if start + T > len(self.table.weight):
            raise IndexError(f"position {start + T - 1} in a table of {len(self.table.weight)}")
        return self.table.weight[start:start + T]


@alternative(LEARNED)
class Narrowed(torch.nn.Module):
    def __init__(self, max_len: int, D: int) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(max_len, D)

    def forward(self, T: int, start: int = 0) -> torch.Tensor:
        return self.table.weight.narrow(0, start, T)  # which refuses what is not there


@alternative(LEARNED)
class OneHot(torch.nn.Module):
    def __init__(self, max_len: int, D: int) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(max_len, D)

    def forward(self, T: int, start: int = 0) -> torch.Tensor:
        W = self.table.weight  # one_hot refuses a class that is not there
        ones = torch.nn.functional.one_hot(torch.arange(start, start + T), W.shape[0])
        return ones.to(W.dtype) @ W


@alternative(LEARNED)
class RowByRow(torch.nn.Module):
    def __init__(self, max_len: int, D: int) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(max_len, D)

    def forward(self, T: int, start: int = 0) -> torch.Tensor:
        return torch.stack([self.table.weight[start + t] for t in range(T)])
