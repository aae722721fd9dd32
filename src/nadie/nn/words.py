"""Tokens as vectors: word embeddings, the two character encoders of the papers, and all features concatenated."""

from __future__ import annotations

from collections.abc import Mapping

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

    The paper's convolution is `narrow`: it has no output for words shorter than the filter, which are padded on the
    right here. Half of nadie's tokens have one or two characters, so by default words are padded on both sides instead,
    and there is one output per character.
    """

    def __init__(self, characters: int, embedding: int, filters: int, width: int, *, narrow: bool = False) -> None:
        super().__init__()
        self.width = filters
        self.kernel = width
        self.narrow = narrow
        self.embedding = nn.Embedding(characters, embedding, padding_idx=0)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        with torch.no_grad():
            self.embedding.weight[0].zero_()
        self.convolution = nn.Conv1d(embedding, filters, width, padding=0 if narrow else width // 2)

    def forward(self, characters: Tensor, lengths: Tensor) -> Tensor:
        embedded = self.embedding(characters).transpose(1, 2)
        if self.narrow:
            embedded = nn.functional.pad(embedded, (0, self.kernel - 1))
            lengths = (lengths - self.kernel + 1).clamp(min=1)
        seen = self.convolution(embedded).tanh()  # (U, filters, L)
        positions = torch.arange(characters.shape[1], device=characters.device)
        outside = positions.unsqueeze(0) >= lengths.unsqueeze(1)  # (U, L)
        strongest: Tensor = seen.masked_fill(outside.unsqueeze(1), -1.0).amax(dim=2)
        return strongest


class WordEmbedding(nn.Module):
    """A table of word vectors: ids (...) → (..., width).

    `vectors` (words, width) are the initial values; without them the table is initialised at random. Without `tuned` it
    is not trained.

    `used` (n,) are the ids that training can meet, if they are not all. Only their rows are given to the optimizer, in
    `own`: the others have no gradient, so that Adam would read all of them at each step and change none.
    """

    def __init__(
        self,
        words: int,
        width: int,
        vectors: Tensor | None = None,
        *,
        tuned: bool = True,
        used: Tensor | None = None,
    ) -> None:
        super().__init__()
        if vectors is not None and tuple(vectors.shape) != (words, width):
            raise ValueError(f"vectors of shape {tuple(vectors.shape)} do not fit a table of {(words, width)}")
        self.width = width
        self.tuned = tuned
        self.table = nn.Embedding(words, width)
        if vectors is None:
            nn.init.normal_(self.table.weight, std=width**-0.5)
        else:
            self.table.weight.data.copy_(vectors)
        self._used = used if tuned else None
        self.table.weight.requires_grad_(tuned and used is None)
        if self._used is not None:
            self.own = nn.Parameter(self.table.weight.data[self._used])
            self._places = torch.full((words,), -1).index_copy_(0, self._used, torch.arange(len(self._used)))
            self.register_load_state_dict_post_hook(WordEmbedding._take)  # type: ignore[no-untyped-call]

    def forward(self, ids: Tensor) -> Tensor:
        if self._used is not None and self.training:
            return nn.functional.embedding(self._places[ids], self.own)
        return nn.functional.embedding(ids, self.weight())

    def weight(self) -> Tensor:
        """The whole table as it is now."""
        if self._used is not None:
            self.table.weight.data[self._used] = self.own.data
        return self.table.weight

    def _save_to_state_dict(self, *_: object) -> None:
        """Only the table is stored, which does not depend on what training meets."""
        self.weight()

    def _load_from_state_dict(self, *_: object) -> None:
        """The table loads itself; `_take` follows."""

    def _take(self, _: object) -> None:
        self.own.data.copy_(self.table.weight.data[self._used])


class TokenRepresentation(nn.Module):
    """[word vector; characters; lexicon; spacing] of every token: (B, T, width); lexicon and spacing may be None.

    Features of a written form are computed once for each of the U distinct forms in the batch, and then gathered for
    the tokens that have it: words (U,), characters (U, L), character_lengths (U,), lists (U, N), clusters (U, 2),
    kinds (B, T) into U, spacing (B, T). `lexicon` is (N, number of clusters, width of a cluster's vector), or None.
    """

    def __init__(
        self,
        words: WordEmbedding,
        characters: CharacterBiLSTM | CharacterCNN,
        spacing: tuple[int, int] | None,
        lexicon: tuple[int, int, int] | None,
    ) -> None:
        super().__init__()
        self.words = words
        self.characters = characters
        self.spacing = nn.Embedding(*spacing) if spacing else None
        self.clusters = nn.Embedding(lexicon[1], lexicon[2]) if lexicon else None
        known = lexicon[0] + 2 * lexicon[2] if lexicon else 0
        self.lists = lexicon[0] if lexicon else 0
        self.width = words.width + characters.width + known + (spacing[1] if spacing else 0)

    def forward(self, inputs: Mapping[str, Tensor]) -> Tensor:
        spelled = self.characters(inputs["characters"], inputs["character_lengths"])
        known = [self.words(inputs["words"]), spelled]
        if self.clusters is not None:
            known += [inputs["lists"], self.clusters(inputs["clusters"]).flatten(1)]
        forms = torch.cat(known, dim=1)  # (U, width of a form)
        tokens = nn.functional.embedding(inputs["kinds"], forms)  # (B, T, width of a form)
        if self.spacing is None:
            return tokens
        return torch.cat([tokens, self.spacing(inputs["spacing"])], dim=2)
