"""nadie inside real engines of Presidio."""

from __future__ import annotations

from typing import Any

import pytest
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry, RecognizerResult
from presidio_analyzer.predefined_recognizers import EmailRecognizer
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig

import nadie
from nadie.anonymize.secret import Secret
from nadie.integrations.presidio import ENTITIES, LABEL, BlankNlpEngine, NadieRecognizer, NadieSurrogate, document_of

from .notes import CLEAN, LATER, NOTE, OTHER


@pytest.fixture(scope="module")
def analyzer() -> AnalyzerEngine:
    registry = RecognizerRegistry(
        recognizers=[NadieRecognizer(), EmailRecognizer(supported_language="es")], supported_languages=["es"]
    )
    return AnalyzerEngine(registry=registry, nlp_engine=BlankNlpEngine(), supported_languages=["es"])


@pytest.fixture(scope="module")
def research() -> nadie.Pipeline:
    return nadie.load("fast", policy="research", key=Secret(b"a key that only these tests have"))


def test_the_analyzer_finds_what_nadie_finds(analyzer: AnalyzerEngine) -> None:
    results = analyzer.analyze(NOTE, language="es")
    ours = nadie.load("fast").annotate(NOTE).spans
    assert {(r.start, r.end) for r in results} == {(s.start, s.end) for s in ours}
    assert {r.entity_type for r in results} >= {"PERSON", "DATE_TIME", "ID"}
    assert {r.recognition_metadata[LABEL] for r in results} == {s.label for s in ours}
    assert not analyzer.analyze(CLEAN, language="es")


def test_only_the_entities_asked_for(analyzer: AnalyzerEngine) -> None:
    assert {r.entity_type for r in analyzer.analyze(NOTE, language="es", entities=["PERSON"])} == {"PERSON"}


def test_no_label_is_lost_on_the_way_to_presidio(analyzer: AnalyzerEngine) -> None:
    assert set(ENTITIES) == set(nadie.Label)
    assert set(ENTITIES.values()) <= set(analyzer.get_supported_entities(language="es"))
    assert ENTITIES["FAMILIARES_SUJETO_ASISTENCIA"] == "FAMILIARES_SUJETO_ASISTENCIA"


def test_with_labels_of_its_own() -> None:
    results = NadieRecognizer(own_labels=True).analyze(NOTE, [])
    assert {r.entity_type for r in results} >= {"NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "FECHAS"}


def test_surrogates_as_an_operator(analyzer: AnalyzerEngine, research: nadie.Pipeline) -> None:
    engine = AnonymizerEngine()
    engine.add_anonymizer(NadieSurrogate)
    results: Any = analyzer.analyze(NOTE, language="es")  # the result of the other package of Presidio, alike

    def anonymized(patient: str) -> str:
        config = OperatorConfig("nadie_surrogate", {"model": research, "patient": patient})
        return str(engine.anonymize(NOTE, results, {"DEFAULT": config}).text)

    assert anonymized("1") == anonymized("1") != anonymized("2")
    for value in ("Ana", "Pérez", "4471920", "Elena Roca", "3 de mayo de 2021"):
        assert value not in anonymized("1")
    assert anonymized("1").startswith("Paciente: ")
    assert "[" not in anonymized("1")


def test_the_operator_needs_a_model(analyzer: AnalyzerEngine) -> None:
    engine = AnonymizerEngine()
    engine.add_anonymizer(NadieSurrogate)
    results: Any = analyzer.analyze(NOTE, language="es")
    with pytest.raises(nadie.NadieError, match="needs the parameter"):
        engine.anonymize(NOTE, results, {"DEFAULT": OperatorConfig("nadie_surrogate")})


def test_a_whole_document_agrees_with_nadie(analyzer: AnalyzerEngine, research: nadie.Pipeline) -> None:
    documents = [document_of(text, analyzer.analyze(text, language="es"), "7") for text in (NOTE, LATER)]
    expected = [research.anonymize(nadie.Document("", text, (), {"patient": "7"})) for text in (NOTE, LATER)]
    assert [research.anonymize(document) for document in documents] == expected


def test_results_of_presidio_become_spans() -> None:
    results = [RecognizerResult("ES_NIF", 0, 9, 0.7), RecognizerResult("A_NEW_ONE", 4, 12, 0.4)]
    assert [(s.start, s.end, s.label) for s in document_of("12345678Z y más", results).spans] == [
        (0, 9, "ID_SUJETO_ASISTENCIA"),
        (9, 12, "OTRO_NUMERO_IDENTIF"),
    ]


def test_nothing_of_a_note_is_logged(analyzer: AnalyzerEngine, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    analyzer.analyze(OTHER, language="es")
    assert "Luis" not in caplog.text
    assert "5583001" not in caplog.text
