"""Right answers to `minillm.rope` in other styles."""

import math

import torch

from . import alternative, alternative_edit

MATRIX, FREQUENCIES, TABLES = "rope.rotation_matrix", "rope.rope_frequencies", "rope.rope_tables"
APPLY, ORDER = "rope.apply_rope", "rope.half_split_order"
PI, NTK = "rope.interpolate_positions", "rope.ntk_base"
YARN, FACTOR = "rope.yarn_frequencies", "rope.yarn_attention_factor"


@alternative(MATRIX)
def from_math(angle: float) -> torch.Tensor:
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, -s], [s, c]])


@alternative(MATRIX)
def exponential(angle: float) -> torch.Tensor:
    generator = torch.tensor([[0.0, -angle], [angle, 0.0]], dtype=torch.float64)
    return torch.matrix_exp(generator).float()


@alternative(MATRIX)
def from_a_complex_number(angle: float) -> torch.Tensor:
    z = complex(math.cos(angle), math.sin(angle))
    columns = [torch.tensor([v.real, v.imag]) for v in (z, z * 1j)]
    return torch.stack(columns, dim=1)


@alternative(FREQUENCIES)
def one_over_power(Dh: int, base: float = 10000.0) -> torch.Tensor:
    return 1.0 / (base ** (torch.arange(0, Dh, 2).float() / Dh))


@alternative(FREQUENCIES)
def through_exp(Dh: int, base: float = 10000.0) -> torch.Tensor:
    i = torch.arange(Dh // 2, dtype=torch.get_default_dtype())
    return torch.exp(-math.log(base) * 2 * i / Dh)


@alternative(FREQUENCIES)
def with_a_list(Dh: int, base: float = 10000.0) -> torch.Tensor:
    return torch.tensor([base ** (-2 * i / Dh) for i in range(Dh // 2)])


@alternative(FREQUENCIES)
def logspace(Dh: int, base: float = 10000.0) -> torch.Tensor:
    return torch.logspace(0, 2 / Dh - 1, Dh // 2, base=base)


@alternative(TABLES)
def outer(
    positions: torch.Tensor, frequencies: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    t = frequencies if frequencies.dtype == torch.float64 else frequencies.float()
    angle = torch.outer(positions.to(t.dtype), t)
    return torch.cos(angle), torch.sin(angle)


@alternative(TABLES)
def always_double(
    positions: torch.Tensor, frequencies: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    angle = torch.einsum("t,i->ti", positions.double(), frequencies.double())
    dtype = torch.float64 if frequencies.dtype == torch.float64 else torch.float32
    return angle.cos().to(dtype), angle.sin().to(dtype)


@alternative(TABLES)
def in_polar_form(
    positions: torch.Tensor, frequencies: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    dtype = max((torch.float32, frequencies.dtype), key=lambda d: torch.finfo(d).bits)
    angle = positions.to(dtype).unsqueeze(-1) * frequencies.to(dtype).unsqueeze(0)
    z = torch.polar(torch.ones_like(angle), angle)
    return z.real, z.imag


@alternative(TABLES)
def computed_precisely_and_cast(
    positions: torch.Tensor, frequencies: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    angle = positions.double()[:, None] * frequencies.double()[None, :]
    return angle.cos().to(frequencies.dtype), angle.sin().to(frequencies.dtype)


@alternative(APPLY)
def complex_numbers(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, interleaved: bool = True
                    ) -> torch.Tensor:
    w = cos.shape[-1]
    turning = x[..., :2 * w].to(cos.dtype)
    pairs = turning.reshape(*x.shape[:-1], *((w, 2) if interleaved else (2, w)))
    pairs = pairs if interleaved else pairs.transpose(-1, -2)
    turned = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * torch.complex(cos, sin))
    turned = turned if interleaved else turned.transpose(-1, -2)
    return torch.cat([turned.flatten(-2).type_as(x), x[..., 2 * w:]], dim=-1)


@alternative(APPLY)
def rotate_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, interleaved: bool = True
                ) -> torch.Tensor:
    w = cos.shape[-1]
    part = x[..., :2 * w]
    if interleaved:
        partner = torch.stack([-part[..., 1::2], part[..., ::2]], -1).reshape(part.shape)
        c, s = cos.repeat_interleave(2, -1), sin.repeat_interleave(2, -1)
    else:
        partner = torch.cat([-part[..., w:], part[..., :w]], -1)
        c, s = torch.cat([cos, cos], -1), torch.cat([sin, sin], -1)
    return torch.cat([(part * c + partner * s).type(x.dtype), x[..., 2 * w:]], -1)


@alternative(APPLY)
def tables_in_the_dtype_of_x(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor,
                             interleaved: bool = True) -> torch.Tensor:
    w, cos, sin = cos.shape[-1], cos.to(x.dtype), sin.to(x.dtype)
    first, second = (slice(0, 2 * w, 2), slice(1, 2 * w, 2)) if interleaved else (
        slice(0, w), slice(w, 2 * w))
    out = x.clone()
    out[..., first] = x[..., first] * cos - x[..., second] * sin
    out[..., second] = x[..., first] * sin + x[..., second] * cos
    return out


@alternative(APPLY)
def pair_by_pair(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, interleaved: bool = True
                 ) -> torch.Tensor:
    w = cos.shape[-1]
    columns = list(x.unbind(-1))
    for i in range(w):
        at = (2 * i, 2 * i + 1) if interleaved else (i, i + w)
        a, b = columns[at[0]], columns[at[1]]
        columns[at[0]] = (a * cos[:, i] - b * sin[:, i]).to(x.dtype)
        columns[at[1]] = (a * sin[:, i] + b * cos[:, i]).to(x.dtype)
    return torch.stack(columns, -1)


@alternative(APPLY)
def as_matrices(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, interleaved: bool = True
                ) -> torch.Tensor:
    T, w = cos.shape
    R = torch.eye(x.shape[-1], dtype=cos.dtype).repeat(T, 1, 1)
    for i in range(w):
        a, b = (2 * i, 2 * i + 1) if interleaved else (i, i + w)
        R[:, a, a], R[:, a, b], R[:, b, a], R[:, b, b] = cos[:, i], -sin[:, i], sin[:, i], cos[:, i]
    return torch.einsum("tij,...tj->...ti", R, x.to(R.dtype)).to(x.dtype)


@alternative(APPLY)
def neighbours_by_way_of_halves(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor,
                                interleaved: bool = True) -> torch.Tensor:
    both = 2 * cos.shape[-1]
    turning, rest = x[..., :both], x[..., both:]
    order = torch.arange(both)
    order = torch.cat([order[::2], order[1::2]]) if interleaved else order
    a, b = turning[..., order].chunk(2, -1)
    turned = torch.cat([a * cos - b * sin, b * cos + a * sin], -1)[..., order.argsort()]
    return torch.cat([turned.to(x.dtype), rest], -1)


@alternative(ORDER)
def two_ranges(Dh: int) -> torch.Tensor:
    return torch.cat([torch.arange(0, Dh, 2), torch.arange(1, Dh, 2)])


@alternative(ORDER)
def sorted_by_parity(Dh: int) -> torch.Tensor:
    return torch.tensor(sorted(range(Dh), key=lambda j: (j % 2, j)))


@alternative(ORDER)
def by_formula(Dh: int) -> torch.Tensor:
    j = torch.arange(Dh)
    half = Dh // 2
    return 2 * (j % half) + torch.div(j, half, rounding_mode="floor")


@alternative(PI)
def times_the_inverse(positions: torch.Tensor, scale: float) -> torch.Tensor:
    p = positions if positions.is_floating_point() else positions.float()
    return p * (1.0 / scale)


@alternative(PI)
def in_float64(positions: torch.Tensor, scale: float) -> torch.Tensor:
    return positions.double() / scale if not positions.is_floating_point() else positions / scale


@alternative(PI)
def named(positions: torch.Tensor, scale: float) -> torch.Tensor:
    return torch.true_divide(positions, scale)


@alternative(NTK)
def powers_apart(base: float, scale: float, Dh: int) -> float:
    return float(base * scale * scale ** (2 / (Dh - 2)))


@alternative(NTK)
def through_logarithms(base: float, scale: float, Dh: int) -> float:
    return math.exp(math.log(base) + math.log(scale) * Dh / (Dh - 2))


@alternative(NTK)
def as_a_tensor(base: float, scale: float, Dh: int) -> torch.Tensor:
    return base * torch.tensor(scale, dtype=torch.float64) ** (Dh / (Dh - 2))


@alternative(NTK)
def in_float32(base: float, scale: float, Dh: int) -> torch.Tensor:
    return torch.tensor(base) * torch.tensor(scale) ** (Dh / (Dh - 2))


@alternative(NTK)
def by_the_last_pair(base: float, scale: float, Dh: int) -> float:
    slowest = base ** (-(Dh - 2) / Dh) / scale
    return float(slowest ** (-Dh / (Dh - 2)))


@alternative(YARN)
def with_where(frequencies: torch.Tensor, scale: float, train_length: int, beta_fast: float = 32,
               beta_slow: float = 1) -> torch.Tensor:
    r = train_length / (2 * torch.pi / frequencies)
    gamma = (r - beta_slow) / (beta_fast - beta_slow)
    mixed = frequencies / scale * (1 - gamma) + frequencies * gamma
    slowed = torch.where(r <= beta_slow, frequencies / scale, mixed)
    return torch.where(r >= beta_fast, frequencies, slowed)


@alternative(YARN)
def with_lerp(frequencies: torch.Tensor, scale: float, train_length: int, beta_fast: float = 32,
              beta_slow: float = 1) -> torch.Tensor:
    r = train_length * frequencies / (2 * math.pi)
    kept = torch.clip((r - beta_slow) / (beta_fast - beta_slow), min=0.0, max=1.0)
    return torch.lerp(frequencies / scale, frequencies, kept)


@alternative(YARN)
def one_at_a_time(frequencies: torch.Tensor, scale: float, train_length: int, beta_fast: float = 32,
                  beta_slow: float = 1) -> torch.Tensor:
    out = []
    for theta in frequencies.tolist():
        r = train_length * theta / (2 * math.pi)
        g = min(max((r - beta_slow) / (beta_fast - beta_slow), 0.0), 1.0)
        out.append(theta * (g + (1 - g) / scale))
    return torch.tensor(out, dtype=frequencies.dtype)


alternative_edit(FACTOR, "with_numpy", "0.1 * math.log(scale) + 1",
                 "float(1 + __import__('numpy').log(scale) / 10)")
alternative_edit(FACTOR, "as_a_power", "0.1 * math.log(scale) + 1", "math.log(scale ** 0.1) + 1")
alternative_edit(FACTOR, "as_a_tensor", "0.1 * math.log(scale) + 1",
                 "1 + 0.1 * torch.log(torch.tensor(scale, dtype=torch.float64))")


alternative_edit(FACTOR, "in_float32", "0.1 * math.log(scale) + 1",
                 "0.1 * torch.tensor(float(scale)).log() + 1")


@alternative(FACTOR)
def from_base_two(scale: float) -> float:
    return 1 + math.log2(scale) * math.log(2) / 10
