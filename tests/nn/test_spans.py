"""The span layer against the paper's equations, written out one span at a time."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    import torch
else:
    torch = pytest.importorskip("torch")

from nadie.nn.spans import SpanLayer, following, previous

WIDTH, HIDDEN, SIZES = 4, 3, 4
LENGTHS = torch.tensor([6, 3, 1])
VARIANTS = list(product(["base", "minus"], ["average", "attention"], [False, True]))
Boundary = Literal["base", "minus"]
Inside = Literal["average", "attention"]


def inside_sequence(lengths: torch.Tensor, tokens: int, sizes: int) -> torch.Tensor:
    """(B, T, S): whether the span of a cell ends within its sequence. lengths (B,)."""
    ends = torch.arange(tokens).unsqueeze(1) + torch.arange(sizes).unsqueeze(0)  # (T, S)
    return ends.unsqueeze(0) < lengths.view(-1, 1, 1)


def _states() -> torch.Tensor:
    torch.manual_seed(3)
    states = torch.randn(3, 6, WIDTH, dtype=torch.float64)
    return states * (torch.arange(6).unsqueeze(0) < LENGTHS.unsqueeze(1)).unsqueeze(2)


def _layer(boundary: Boundary, inside: Inside, context: bool) -> SpanLayer:
    torch.manual_seed(4)
    layer = SpanLayer(WIDTH, HIDDEN, SIZES, boundary=boundary, inside=inside, context=context)
    torch.nn.init.normal_(layer.bias)
    return layer.double()


def _literal(layer: SpanLayer, h: torch.Tensor, i: int, k: int) -> torch.Tensor:
    """R(i, k) of one sequence h (T, W), from the text of the paper; h outside the sentence is 0."""
    nothing = torch.zeros(WIDTH, dtype=h.dtype)
    before = h[i - 1] if i > 0 else nothing
    after = h[k + 1] if k + 1 < len(h) else nothing
    if layer.inside == "average":
        inner = sum((h[j] for j in range(i, k + 1)), nothing) / (k - i + 1)  # equation 2
    else:
        assert layer.attention is not None
        ffnn, w = layer.attention.hidden, layer.attention.score
        alpha = [(w.weight @ torch.relu(ffnn.weight @ h[t] + ffnn.bias)).squeeze() for t in range(i, k + 1)]  # 3
        below = sum(torch.exp(a) for a in alpha)
        parts = (torch.exp(a) / below * h[t] for a, t in zip(alpha, range(i, k + 1), strict=True))  # 4
        inner = sum(parts, nothing)  # 5
    base, minus = [h[i], h[k]], [h[k] - before, h[i] - after]  # equations 1 and 7
    boundary = base if layer.boundary == "base" else minus
    return torch.cat([*boundary, inner, *((before, h[i], after) if layer.context else ())])


def _weight(layer: SpanLayer) -> torch.Tensor:
    """The weight matrix over R: the blocks of the projection side by side, (H, parts * W)."""
    return torch.cat(layer.projection.weight.chunk(len(layer.parts), dim=0), dim=1)


@pytest.mark.parametrize(("boundary", "inside", "context"), VARIANTS)
def test_every_span_is_the_papers_formula(boundary: Boundary, inside: Inside, context: bool) -> None:
    layer = _layer(boundary, inside, context)
    states, valid = _states(), inside_sequence(LENGTHS, 6, SIZES)
    found, weight = layer(states), _weight(layer)
    assert found.shape == (3, 6, SIZES, HIDDEN)
    checked = 0
    for b, i, s in product(range(3), range(6), range(SIZES)):
        assert bool(valid[b, i, s]) == (i + s < LENGTHS[b])
        if i + s < LENGTHS[b]:
            expected = weight @ _literal(layer, states[b, : LENGTHS[b]], i, i + s) + layer.bias
            torch.testing.assert_close(found[b, i, s], expected)
            checked += 1
    assert checked == 18 + 6 + 1


@pytest.mark.parametrize(("boundary", "inside", "context"), VARIANTS)
def test_gradients(boundary: Boundary, inside: Inside, context: bool) -> None:
    layer = _layer(boundary, inside, context)
    names = [name for name, _ in layer.named_parameters()]
    valid = inside_sequence(LENGTHS, 6, SIZES)

    def run(states: torch.Tensor, *values: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = torch.func.functional_call(layer, dict(zip(names, values, strict=True)), (states,))
        return found[valid]

    given = [_states(), *(p.detach() for p in layer.parameters())]
    assert torch.autograd.gradcheck(run, [value.clone().requires_grad_() for value in given])


def test_padding_does_not_reach_the_spans() -> None:
    layer = _layer("minus", "attention", True)
    states = _states()
    valid = inside_sequence(LENGTHS, 6, SIZES)
    alone = torch.cat([layer(states[b : b + 1, :n])[valid[b : b + 1, :n]] for b, n in enumerate(LENGTHS.tolist())])
    torch.testing.assert_close(layer(states)[valid], alone)


def test_attention_survives_scores_far_apart() -> None:
    layer = _layer("base", "attention", False)
    assert layer.attention is not None
    with torch.no_grad():
        layer.attention.hidden.weight.copy_(torch.eye(HIDDEN, WIDTH) * 100)
        layer.attention.hidden.bias.zero_()
        layer.attention.score.weight.copy_(torch.tensor([[1.0, 0.0, 0.0]]))
        layer.projection.weight.zero_()
        layer.projection.weight[2 * HIDDEN :] = torch.eye(HIDDEN, WIDTH)  # only the inside is looked at
        layer.bias.zero_()
    states = torch.zeros(1, 3, WIDTH)
    layer.float()
    states[0, :, 0] = torch.tensor([0.0, 9.0, 1.0])  # scores 0, 900, 100
    found = layer(states)
    assert torch.isfinite(found).all()
    assert found[0, 0, :3, 0].tolist() == pytest.approx([0.0, 9.0, 9.0])
    assert found[0, 2, 0, 0].item() == pytest.approx(1.0)


def test_products_in_bfloat16_are_added_up_in_float32() -> None:
    layer = _layer("minus", "attention", True).float()
    states = _states().float()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = layer(states)
    assert found.dtype == torch.float32
    valid = inside_sequence(LENGTHS, 6, SIZES)
    torch.testing.assert_close(found[valid], layer(states)[valid], rtol=0.05, atol=0.05)


def test_neighbours_of_the_first_and_last_token_are_zero() -> None:
    values = torch.arange(1.0, 4.0).view(1, 3, 1)
    assert previous(values).flatten().tolist() == [0, 1, 2]
    assert following(values).flatten().tolist() == [2, 3, 0]


def test_spans_longer_than_the_sequence() -> None:
    layer = SpanLayer(WIDTH, HIDDEN, 8, boundary="base", inside="average", context=False)
    assert layer(torch.randn(1, 2, WIDTH)).shape == (1, 2, 8, HIDDEN)
    assert inside_sequence(torch.tensor([2]), 2, 8).sum().item() == 3
