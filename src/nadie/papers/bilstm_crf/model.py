"""The detector BiLSTMCRF, and its config."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from nadie.config import setting
from nadie.neural.config import BiLSTMSizes, TaggerConfig
from nadie.neural.detector import NeuralTagger
from nadie.neural.model import Fit


@dataclass(frozen=True, kw_only=True)
class BiLSTMCRFArchitecture(BiLSTMSizes):
    """The sizes of Table 1 of Suárez-Paniagua (2019). Vectors with random initial values are always tuned."""

    tune_vectors: bool = setting(True, "train the word vectors further")


@dataclass(frozen=True, kw_only=True)
class BiLSTMCRFConfig(TaggerConfig):
    """Table 1 of Suárez-Paniagua (2019), and the config shared by all neural taggers, whose defaults are not the
    paper's: a window of several sentences, a lexicon, augmented copies, a warm-up and bfloat16.
    """

    architecture: BiLSTMCRFArchitecture = BiLSTMCRFArchitecture()


class BiLSTMCRF(NeuralTagger[BiLSTMCRFConfig]):
    """A character BiLSTM and word vectors, a word BiLSTM, and a CRF over BIOES tags (Suárez-Paniagua 2019).

    Deviations from the paper, with their reasons; the docs measure all of them together: word vectors are
    pretrained on unlabelled notes and then tuned, because most names and towns of new notes are not in the training
    notes; the white space before a token and the package's lexicon are added to its features; a window of several
    sentences is read at once instead of one sentence, so that a field is seen with its neighbours; batches are larger
    and epochs fewer, because this is faster on a CPU; training includes augmented copies of the notes.
    """

    system: ClassVar[str] = "bilstm_crf"
    config_type = BiLSTMCRFConfig

    @classmethod
    def _fit(cls) -> Fit[BiLSTMCRFConfig]:
        from nadie.papers.bilstm_crf.network import BiLSTMCRFNetwork
        from nadie.training.fitting import fit_tagger

        return partial(fit_tagger, BiLSTMCRFNetwork)
