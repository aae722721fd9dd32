"""Words from their characters: the two encoders of the papers."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence


class CharacterBiLSTM(nn.Module):
    """The last states of both directions over a word's characters (Lample et al. 2016, section 4.1).

    characters (U, L) integers with 0 as padding, lengths (U,) at least 1 → (U, 2 * hidden).
    """

    def __init__(self, characters: int, embedding: int, hidden: int) -> None:
        super().__init__()
        self.width = 2 * hidden
        self.embedding = nn.Embedding(characters, embedding, padding_idx=0)
        self.lstm = nn.LSTM(embedding, hidden, batch_first=True, bidirectional=True)

    def forward(self, characters: Tensor, lengths: Tensor) -> Tensor:
        packed = pack_padded_sequence(self.embedding(characters), lengths.cpu(), batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)  # (2, U, hidden)
        return torch.cat([last[0], last[1]], dim=1)


class CharacterCNN(nn.Module):
    """A convolution over a word's characters with max over time (Jabreel et al. 2019, equations 1 and 2).

    characters (U, L) integers with 0 as padding, lengths (U,) at least 1 → (U, filters).

    Deviation: the paper's convolution is narrow, which has no output for words shorter than the filter. Half of the
    tokens here are one or two characters long, so a word is framed by padding and there is one output per character.
    """

    def __init__(self, characters: int, embedding: int, filters: int, width: int) -> None:
        super().__init__()
        self.width = filters
        self.embedding = nn.Embedding(characters, embedding, padding_idx=0)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        with torch.no_grad():
            self.embedding.weight[0].zero_()
        self.convolution = nn.Conv1d(embedding, filters, width, padding=width // 2)

    def forward(self, characters: Tensor, lengths: Tensor) -> Tensor:
        seen = self.convolution(self.embedding(characters).transpose(1, 2)).tanh()  # (U, filters, L)
        positions = torch.arange(characters.shape[1], device=characters.device)
        outside = positions.unsqueeze(0) >= lengths.unsqueeze(1)  # (U, L)
        strongest: Tensor = seen.masked_fill(outside.unsqueeze(1), -1.0).amax(dim=2)
        return strongest
