"""Word embeddings, random or from pretrained vectors, frozen or tuned."""

from __future__ import annotations

from torch import Tensor, nn


class WordEmbedding(nn.Module):
    """A table of word vectors: ids (...) → (..., width).

    `vectors` (words, width) are the values to begin with; without them the table starts at random. With `tuned` off
    it stays as it is.
    """

    def __init__(self, words: int, width: int, vectors: Tensor | None = None, *, tuned: bool = True) -> None:
        super().__init__()
        if vectors is not None and tuple(vectors.shape) != (words, width):
            raise ValueError(f"vectors of shape {tuple(vectors.shape)} do not fit a table of {(words, width)}")
        self.width = width
        self.table = nn.Embedding(words, width)
        if vectors is None:
            nn.init.normal_(self.table.weight, std=width**-0.5)
        else:
            self.table.weight.data.copy_(vectors)
        self.table.weight.requires_grad_(tuned)

    def forward(self, ids: Tensor) -> Tensor:
        embedded: Tensor = self.table(ids)
        return embedded
