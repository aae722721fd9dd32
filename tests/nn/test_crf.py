"""The conditional random field against brute force, against another library, and against itself in numpy."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest

from nadie.tokens.codec import Scheme

if TYPE_CHECKING:
    import torch
else:
    torch = pytest.importorskip("torch")

from nadie.crf.forward_backward import posteriors
from nadie.crf.viterbi import Chain
from nadie.nn.crf import LinearChainCRF
from nadie.tokens.codec import allowed_steps, tag_set

LENGTHS = [4, 1, 3]
TAGS = 4


@pytest.fixture
def field() -> LinearChainCRF:
    torch.manual_seed(3)
    crf = LinearChainCRF(TAGS)
    for parameter in crf.parameters():
        torch.nn.init.normal_(parameter)
    return crf.double()


@pytest.fixture
def emissions() -> torch.Tensor:
    torch.manual_seed(4)
    return 2 * torch.randn(len(LENGTHS), max(LENGTHS), TAGS, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def _score(crf: LinearChainCRF, emissions: torch.Tensor, path: tuple[int, ...]) -> float:
    between, start, end = (scores.detach() for scores in crf.steps())
    total = start[path[0]] + end[path[-1]] + sum(emissions[t, tag].item() for t, tag in enumerate(path))
    return float(total + sum(between[a, b].item() for a, b in itertools.pairwise(path)))


def _best_paths(crf: LinearChainCRF, emissions: torch.Tensor, mask: torch.Tensor) -> list[list[int]]:
    """The best tags of each sequence under the parameters of the field, by the search that the models use."""
    chain = Chain(*(scores.detach().numpy() for scores in crf.steps()))
    return [chain.best_paths([row[inside].numpy()])[0].tolist() for row, inside in zip(emissions, mask, strict=True)]


def _all_paths(crf: LinearChainCRF, emissions: torch.Tensor, length: int) -> dict[tuple[int, ...], float]:
    return {path: _score(crf, emissions, path) for path in itertools.product(range(crf.tags), repeat=length)}


def test_log_likelihood_is_that_of_enumeration(
    field: LinearChainCRF, emissions: torch.Tensor, mask: torch.Tensor
) -> None:
    tags = torch.tensor([[1, 0, 3, 2], [2, 0, 0, 0], [3, 3, 1, 0]])
    found = field.log_likelihood(emissions, tags, mask)
    for row, length in enumerate(LENGTHS):
        scores = _all_paths(field, emissions[row], length)
        partition = np.logaddexp.reduce(list(scores.values()))
        assert found[row].item() == pytest.approx(scores[tuple(tags[row, :length].tolist())] - partition, abs=1e-9)


def test_viterbi_is_the_best_of_all_paths(field: LinearChainCRF, emissions: torch.Tensor, mask: torch.Tensor) -> None:
    for row, path in enumerate(_best_paths(field, emissions, mask)):
        scores = _all_paths(field, emissions[row], LENGTHS[row])
        assert tuple(path) == max(scores, key=scores.__getitem__)


def test_marginals_are_those_of_enumeration(field: LinearChainCRF, emissions: torch.Tensor, mask: torch.Tensor) -> None:
    found = field.marginals(emissions, mask)
    for row, length in enumerate(LENGTHS):
        scores = _all_paths(field, emissions[row], length)
        partition = np.logaddexp.reduce(list(scores.values()))
        for t in range(length):
            for tag in range(TAGS):
                mass = sum(np.exp(s - partition) for path, s in scores.items() if path[t] == tag)
                assert found[row, t, tag].item() == pytest.approx(mass, abs=1e-9)
        assert found[row, length:].abs().sum().item() == 0


def test_another_library_agrees(field: LinearChainCRF, emissions: torch.Tensor, mask: torch.Tensor) -> None:
    torchcrf = pytest.importorskip("torchcrf")
    other = torchcrf.CRF(TAGS, batch_first=True).double()
    with torch.no_grad():
        other.transitions.copy_(field.transitions)
        other.start_transitions.copy_(field.start)
        other.end_transitions.copy_(field.end)
    tags = torch.tensor([[1, 0, 3, 2], [2, 0, 0, 0], [3, 3, 1, 0]])
    ours = field.log_likelihood(emissions, tags, mask)
    torch.testing.assert_close(ours, other(emissions, tags, mask, reduction="none"))
    assert _best_paths(field, emissions, mask) == other.decode(emissions, mask)


def test_gradients(field: LinearChainCRF, emissions: torch.Tensor, mask: torch.Tensor) -> None:
    tags = torch.tensor([[1, 0, 3, 2], [2, 0, 0, 0], [3, 3, 1, 0]])

    def loss(scores: torch.Tensor, between: torch.Tensor, start: torch.Tensor, end: torch.Tensor) -> torch.Tensor:
        parameters = {"transitions": between, "start": start, "end": end}
        named = {f"crf.{k}": v for k, v in parameters.items()}
        found: torch.Tensor = torch.func.functional_call(_Likelihood(field), named, (scores, tags, mask))
        return found

    given = [emissions, field.transitions, field.start, field.end]
    assert torch.autograd.gradcheck(loss, [value.detach().clone().requires_grad_() for value in given])


class _Likelihood(torch.nn.Module):
    def __init__(self, crf: LinearChainCRF) -> None:
        super().__init__()
        self.crf = crf

    def forward(self, emissions: torch.Tensor, tags: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.crf.log_likelihood(emissions, tags, mask)


def test_scores_far_apart_stay_finite() -> None:
    crf = LinearChainCRF(3)
    emissions = torch.tensor([[[400.0, 0.0, -200.0], [0.0, 300.0, -100.0]]])
    mask = torch.ones(1, 2, dtype=torch.bool)
    found = crf.log_likelihood(emissions, torch.tensor([[2, 2]]), mask)
    assert found.item() == pytest.approx(-600 - 400, abs=1)


@pytest.mark.parametrize("scheme", ["BIO", "BIOES"])
def test_only_well_formed_sequences_are_possible(scheme: Scheme) -> None:
    tags = tag_set(["CALLE", "PAIS"], scheme)
    torch.manual_seed(1)
    crf = LinearChainCRF(len(tags), torch.from_numpy(allowed_steps(tags)))
    emissions = 30 * torch.randn(40, 6, len(tags))
    mask = torch.ones(40, 6, dtype=torch.bool)
    for path in _best_paths(crf, emissions, mask):
        names = [tags[i] for i in path]
        for before, after in itertools.pairwise(["O", *names, "O"]):
            opened = before[0] in "BI"
            if after[0] in "IE":
                assert opened, names
                assert before[2:] == after[2:], names
            elif scheme == "BIOES":
                assert not opened, names


def test_numpy_does_what_torch_does(field: LinearChainCRF, emissions: torch.Tensor, mask: torch.Tensor) -> None:
    between, start, end = (scores.detach().numpy() for scores in field.steps())
    chain = Chain(between, start, end)
    marginals = field.marginals(emissions, mask).numpy()
    for row, length in enumerate(LENGTHS):
        scores = emissions[row, :length].numpy()
        np.testing.assert_allclose(posteriors([scores], chain)[0].marginals, marginals[row, :length], atol=1e-9)
