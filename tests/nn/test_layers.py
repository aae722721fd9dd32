"""Layers: shapes, gradients, parity with torch's own, and padding that does not affect tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import torch
else:
    torch = pytest.importorskip("torch")

from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from nadie.nn.convolution import ContextConvolution
from nadie.nn.recurrent import BiLSTM
from nadie.nn.words import (
    CharacterBiLSTM,
    CharacterCNN,
    TokenRepresentation,
    WordEmbedding,
)

LENGTHS = torch.tensor([5, 2, 1])


def _inputs(width: int = 3) -> torch.Tensor:
    torch.manual_seed(2)
    return torch.randn(3, 5, width, dtype=torch.float64)


def test_bilstm_is_torchs_lstm() -> None:
    torch.manual_seed(1)
    ours = BiLSTM(3, 4).double()
    theirs = torch.nn.LSTM(3, 4, batch_first=True, bidirectional=True).double()
    layer: Any = ours.layers[0]
    with torch.no_grad():
        for direction, suffix in enumerate(("", "_reverse")):
            getattr(theirs, f"weight_ih_l0{suffix}").copy_(layer.input_weight[direction])
            getattr(theirs, f"weight_hh_l0{suffix}").copy_(layer.recurrent_weight[direction])
            getattr(theirs, f"bias_ih_l0{suffix}").copy_(layer.bias[direction])
            getattr(theirs, f"bias_hh_l0{suffix}").zero_()
    packed = pack_padded_sequence(_inputs(), LENGTHS, batch_first=True)
    expected, _ = pad_packed_sequence(theirs(packed)[0], batch_first=True)
    torch.testing.assert_close(ours(_inputs(), LENGTHS), expected)


def test_bilstm_gradients() -> None:
    torch.manual_seed(1)
    network = BiLSTM(3, 2, layers=2).double()
    names = [name for name, _ in network.named_parameters()]

    def run(inputs: torch.Tensor, *values: torch.Tensor) -> torch.Tensor:
        parameters = dict(zip(names, values, strict=True))
        found: torch.Tensor = torch.func.functional_call(network, parameters, (inputs, LENGTHS))
        return found

    given = [_inputs(), *(p.detach() for p in network.parameters())]
    assert torch.autograd.gradcheck(run, [value.clone().requires_grad_() for value in given])


def test_padding_does_not_reach_the_tokens() -> None:
    network = BiLSTM(3, 4, layers=2).double()
    inputs = _inputs()
    noisy = inputs.clone()
    noisy[1, 2:] = 100.0
    torch.testing.assert_close(network(noisy, LENGTHS), network(inputs, LENGTHS))
    assert network(inputs, LENGTHS)[1, 2:].abs().sum().item() == 0


@pytest.mark.parametrize("kind", [lambda: CharacterBiLSTM(9, 4, 3), lambda: CharacterCNN(9, 4, 6, 3)])
def test_characters(kind: Callable[[], torch.nn.Module]) -> None:
    torch.manual_seed(1)
    encoder = kind().double()
    characters = torch.tensor([[2, 3, 4, 5], [6, 0, 0, 0], [7, 8, 0, 0]])
    lengths = torch.tensor([4, 1, 2])
    found = encoder(characters, lengths)
    assert found.shape == (3, encoder.width)
    alone = torch.cat([encoder(characters[i : i + 1, :n], lengths[i : i + 1]) for i, n in enumerate([4, 1, 2])])
    torch.testing.assert_close(found, alone)
    names = [name for name, _ in encoder.named_parameters()]
    padding = torch.zeros(1, 4, dtype=torch.float64)

    def run(*values: torch.Tensor) -> torch.Tensor:
        parameters = dict(zip(names, values, strict=True))
        parameters["embedding.weight"] = torch.cat([padding, parameters["embedding.weight"]])
        found: torch.Tensor = torch.func.functional_call(encoder, parameters, (characters, lengths))
        return found

    given = [p.detach()[1:] if name == "embedding.weight" else p.detach() for name, p in encoder.named_parameters()]
    assert torch.autograd.gradcheck(run, [value.clone().requires_grad_() for value in given])


def test_character_cnn_is_the_papers_formula() -> None:
    encoder = CharacterCNN(9, 2, 1, 3).double()
    word = torch.tensor([[2, 3, 4]])
    assert encoder.convolution.bias is not None
    weight, bias = encoder.convolution.weight[0], encoder.convolution.bias[0]
    columns = torch.zeros(2, 5, dtype=torch.float64)
    columns[:, 1:4] = encoder.embedding(word)[0].T
    maps = [torch.tanh((columns[:, m : m + 3] * weight).sum() + bias) for m in range(3)]
    torch.testing.assert_close(encoder(word, torch.tensor([3]))[0, 0], torch.stack(maps).max())


def test_context_keeps_every_token_in_its_place() -> None:
    layer = ContextConvolution(3, 2, 3).double()
    inputs = _inputs()
    moved = layer(torch.roll(inputs, 1, dims=1))
    torch.testing.assert_close(moved[:, 2:4], layer(inputs)[:, 1:3])
    assert torch.autograd.gradcheck(layer, [inputs.requires_grad_()])
    with pytest.raises(ValueError, match="even"):
        ContextConvolution(3, 2, 4)


@pytest.mark.parametrize(("tuned", "moves"), [(True, True), (False, False)])
def test_vectors_are_tuned_or_frozen(tuned: bool, moves: bool) -> None:
    vectors = torch.randn(5, 3)
    table = WordEmbedding(5, 3, vectors, tuned=tuned)
    torch.testing.assert_close(table(torch.tensor([4])), vectors[4:])
    trained = [p for p in table.parameters() if p.requires_grad]
    assert bool(trained) is moves
    with pytest.raises(ValueError, match="shape"):
        WordEmbedding(6, 3, vectors)


def test_a_table_of_which_only_the_used_rows_are_trained_becomes_the_same() -> None:
    vectors, used = torch.randn(6, 3), torch.tensor([0, 2, 5])
    whole, partly = WordEmbedding(6, 3, vectors), WordEmbedding(6, 3, vectors, used=used)
    for table in (whole, partly):
        optimizer = torch.optim.Adam([p for p in table.parameters() if p.requires_grad], lr=0.1)
        for ids in ([5, 0], [2, 2], [0, 5]):
            optimizer.zero_grad()
            table(torch.tensor(ids)).square().sum().backward()
            optimizer.step()
    assert partly.own.numel() == 9
    assert torch.equal(whole.weight(), partly.weight())
    assert not torch.equal(partly.weight(), vectors)
    assert torch.equal(partly.eval()(torch.arange(6)), whole(torch.arange(6)))
    again = WordEmbedding(6, 3, vectors, used=torch.tensor([1, 5]))
    again.load_state_dict(partly.state_dict())
    assert list(partly.state_dict()) == list(whole.state_dict())
    assert torch.equal(again(torch.tensor([5])), whole(torch.tensor([5])))


def test_tokens_share_the_description_of_their_form() -> None:
    torch.manual_seed(1)
    tokens = TokenRepresentation(WordEmbedding(6, 4), CharacterCNN(9, 3, 5, 3), (4, 2), (3, 7, 2))
    inputs = {
        "words": torch.tensor([1, 5]),
        "characters": torch.tensor([[2, 3], [4, 0]]),
        "character_lengths": torch.tensor([2, 1]),
        "lists": torch.tensor([[1.0, 0, 0], [0, 1, 1]]),
        "clusters": torch.tensor([[0, 3], [6, 6]]),
        "kinds": torch.tensor([[0, 1, 0]]),
        "spacing": torch.tensor([[0, 1, 0]]),
    }
    found = tokens(inputs)
    assert found.shape == (1, 3, tokens.width)
    assert tokens.width == 4 + 5 + 3 + 2 * 2 + 2
    torch.testing.assert_close(found[0, 0], found[0, 2])
    assert not torch.equal(found[0, 0], found[0, 1])


@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_a_narrow_convolution_has_as_many_outputs_as_the_paper_says(length: int) -> None:
    """Equation 1 of Jabreel et al. (2019): positions 1 to n - k + 1; shorter words are padded to the filter's width."""
    encoder = CharacterCNN(9, 2, 4, 3, narrow=True).double()
    word = torch.tensor([[3, 4, 5, 6, 7][:length] + [0] * (7 - length)])
    embedded = encoder.embedding(word)[0]
    outputs = []
    for m in range(max(1, length - 2)):
        outputs.append((encoder.convolution.weight * embedded[m : m + 3].T).sum(dim=(1, 2)) + encoder.convolution.bias)
    expected = torch.stack(outputs).tanh().amax(dim=0)
    assert torch.allclose(encoder(word, torch.tensor([length]))[0], expected)
