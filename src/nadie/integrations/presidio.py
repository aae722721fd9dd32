"""Presidio: nadie as a recognizer of the AnalyzerEngine, and its surrogates as an operator of the AnonymizerEngine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Unpack

import spacy
from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NerModelConfiguration, NlpArtifacts, SpacyNlpEngine
from presidio_anonymizer.operators import Operator, OperatorType

from nadie.anonymize.engine import Engine
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.files.label_sets import PRESIDIO
from nadie.labels import LABELS, Label, is_label
from nadie.options import DetectionArguments, DetectionOptions
from nadie.resolve.overlaps import disjoint
from nadie.run.documents import RunOptions
from nadie.run.pipeline import Pipeline

ENTITIES: Mapping[str, str] = {label: PRESIDIO.outward.get(label, str(label)) for label in Label}
"""Presidio's entity for each of nadie's labels; labels without a corresponding entity keep their own name."""

LABEL = "nadie_label"
"""The field of a result's `recognition_metadata` with nadie's label."""


class NadieRecognizer(EntityRecognizer):
    """Finds PHI in Spanish clinical text. With `own_labels` results have nadie's 29 labels instead of Presidio's.

    The arguments about detection are those of `nadie.load`.
    """

    name: str

    def __init__(
        self, model: str = "fast", *, own_labels: bool = False, **detection: Unpack[DetectionArguments]
    ) -> None:
        self._model = model
        self._detection = DetectionOptions.of(**detection)
        self._entities: Mapping[str, str] = {label: str(label) for label in Label} if own_labels else ENTITIES
        super().__init__(sorted(set(self._entities.values())), name="NadieRecognizer", supported_language="es")

    def load(self) -> None:
        """Load the model; Presidio calls this once."""
        self._pipeline = RunOptions(self._model, self._detection).pipeline()

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """The results for the requested entities; for all if none is named."""
        found = self._pipeline.annotate(text).spans
        wanted = set(entities or self.supported_entities)
        return [self._result(span) for span in found if self._entities[span.label] in wanted]

    def _result(self, span: Span) -> RecognizerResult:
        return RecognizerResult(
            self._entities[span.label],
            span.start,
            span.end,
            span.score,
            AnalysisExplanation(recognizer=self.name, original_score=span.score, textual_explanation=str(span.label)),
            {
                RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
                RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
                LABEL: str(span.label),
            },
        )


class BlankNlpEngine(SpacyNlpEngine):
    """Presidio's NLP engine without a model: nadie does not need one, so nothing is downloaded.

    Presidio's own recognizers of names and places need a model; its pattern recognizers work without one.
    """

    def __init__(self) -> None:
        no_entities = NerModelConfiguration(model_to_presidio_entity_mapping={}, labels_to_ignore=[])
        super().__init__(models=[{"lang_code": "es", "model_name": "blank"}], ner_model_configuration=no_entities)
        self.nlp: Any = {"es": spacy.blank("es")}


def document_of(text: str, results: Iterable[RecognizerResult], patient: str = "") -> Document:
    """The text with Presidio's results as spans, for `anonymize` of a `Pipeline`, which sees the whole document."""
    spans = [Span(each.start, each.end, _label(each.entity_type, each), each.score, "presidio") for each in results]
    return Document("", text, tuple(disjoint(spans)), {"patient": patient} if patient else {})


class NadieSurrogate(Operator):
    """The operator `nadie_surrogate`: a surrogate according to nadie's `research` policy.

    Parameters: `model`, a `Pipeline` from `nadie.load(policy="research", key=...)`, and `patient`, for the shift of
    dates. Presidio passes one value at a time to an operator, without the document: if different written forms of
    names, ages and dates of birth must be consistent, use `document_of`.
    """

    NAME: ClassVar[str] = "nadie_surrogate"

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """The surrogate of one value."""
        given = params or {}
        if not text:
            return text
        label = _label(str(given.get("entity_type", "")))
        patient = str(given.get("patient", ""))
        document = Document("", text, (Span(0, len(text), label),), {"patient": patient} if patient else {})
        return _engine(given).run(document).text

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Refuse parameters without a model."""
        _engine(params or {})

    def operator_name(self) -> str:
        """The name for an `OperatorConfig`."""
        return self.NAME

    def operator_type(self) -> OperatorType:
        """The type of the operator: anonymization."""
        return OperatorType.Anonymize


def _engine(params: Mapping[str, Any]) -> Engine:
    model = params.get("model")
    if not isinstance(model, Pipeline):
        raise ConfigError('nadie_surrogate needs the parameter "model": nadie.load(policy="research", key=...)')
    return model.engine


def _label(entity: str, result: RecognizerResult | None = None) -> str:
    """nadie's label for an entity of Presidio, or for one that is already a label; any other is an identifier."""
    label = str((getattr(result, "recognition_metadata", None) or {}).get(LABEL, ""))
    if is_label(label) or entity in LABELS:
        return label if is_label(label) else entity
    return PRESIDIO.inward.get(entity, Label.OTRO_NUMERO_IDENTIF)
