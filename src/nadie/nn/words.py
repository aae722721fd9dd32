"""All that is known of a token, side by side."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from nadie.nn.characters import CharacterBiLSTM, CharacterCNN
from nadie.nn.embedding import WordEmbedding


class TokenRepresentation(nn.Module):
    """[word vector; characters; lexicon; spacing] of every token: (B, T, width).

    What belongs to a written form is computed once for each of the U distinct forms in the batch, and then handed to
    the tokens that have it: words (U,), characters (U, L), character_lengths (U,), lists (U, N), clusters (U, 2),
    kinds (B, T) into U, spacing (B, T). `lexicon` is (N, number of clusters, width of a cluster's vector), or None.
    """

    def __init__(
        self,
        words: WordEmbedding,
        characters: CharacterBiLSTM | CharacterCNN,
        spacing: tuple[int, int],
        lexicon: tuple[int, int, int] | None,
    ) -> None:
        super().__init__()
        self.words = words
        self.characters = characters
        self.spacing = nn.Embedding(*spacing)
        self.clusters = nn.Embedding(lexicon[1], lexicon[2]) if lexicon else None
        known = lexicon[0] + 2 * lexicon[2] if lexicon else 0
        self.width = words.width + characters.width + known + spacing[1]

    def forward(self, inputs: Mapping[str, Tensor]) -> Tensor:
        spelled = self.characters(inputs["characters"], inputs["character_lengths"])
        known = [self.words(inputs["words"]), spelled]
        if self.clusters is not None:
            known += [inputs["lists"], self.clusters(inputs["clusters"]).flatten(1)]
        forms = torch.cat(known, dim=1)  # (U, width of a form)
        tokens = nn.functional.embedding(inputs["kinds"], forms)  # (B, T, width of a form)
        return torch.cat([tokens, self.spacing(inputs["spacing"])], dim=2)
