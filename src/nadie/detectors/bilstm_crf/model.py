"""The detector BiLSTMCRF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from nadie.detectors.base import Progress
from nadie.detectors.bilstm_crf.config import BiLSTMCRFConfig
from nadie.detectors.neural.detector import NeuralTagger
from nadie.document import Document
from nadie.errors import MissingExtraError


class BiLSTMCRF(NeuralTagger):
    """A character BiLSTM and word vectors, a word BiLSTM, and a CRF over BIOES tags (Suárez-Paniagua 2019).

    Deviations from the paper, each a setting, with its reason; all of them together are measured in the docs:
    word vectors are pretrained on unlabelled notes and then tuned, because names and towns of new notes are mostly not
    in the training notes; white space before a token and the package's lexicon are given with it; a window of several
    sentences is read at once instead of one sentence, so that a field keeps its neighbours; batches are larger and
    epochs fewer, because that is what a CPU does fastest; training also sees varied copies of the notes.
    """

    system: ClassVar[str] = "bilstm_crf"

    @classmethod
    def train(
        cls,
        train: Sequence[Document],
        dev: Sequence[Document],
        *,
        settings: Mapping[str, Any],
        seed: int,
        work: Path,
        progress: Progress,
    ) -> Self:
        try:
            from nadie.detectors.bilstm_crf.export import export
            from nadie.detectors.bilstm_crf.network import BiLSTMCRFNetwork
            from nadie.training.assembly import train_tagger
            from nadie.training.config import configure
            from nadie.training.packing import pack
        except ModuleNotFoundError as error:
            raise MissingExtraError("training bilstm_crf", "train") from error
        config = configure(BiLSTMCRFConfig, settings)
        trained = train_tagger(BiLSTMCRFNetwork, config, train, dev, seed=seed, work=work, progress=progress)
        return cls(*pack(trained, export, cls.system))
