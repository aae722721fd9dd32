"""Numbers, words and tables of figures, written in English or Spanish."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import paper_cells

MODELS = Path(__file__).resolve().parent.parent / "src" / "nadie" / "models"
TASKS = paper_cells.TASKS

SPANISH = {
    "system": "sistema",
    "subtask 1 F1": "F1 subtarea 1",
    "strict F1": "F1 estricta",
    "merged F1": "F1 fusionada",
    "PHI covered": "datos cubiertos",
    "predecessor": "versión anterior",
    "label": "etiqueta",
    "characters": "caracteres",
    "direct identifiers found whole": "identificadores directos enteros",
    "notes per second of one core": "notas por segundo de un núcleo",
    "Presidio's speed": "velocidad de Presidio",
    "documents with nothing missed": "documentos sin fugas",
    "its paper: subtask 1 / strict / merged": "su artículo: subtarea 1 / estricta / fusionada",
    "Spain / Americas": "España / América",
    "masked text that is PHI": "texto ocultado que identifica",
    "traps masked": "trampas ocultadas",
    "of": "de",
    "not trained": "sin entrenar",
    "paper, test": "artículo, prueba",
    "as in the paper, dev": "como en el artículo, desarrollo",
    "improved, dev": "mejorado, desarrollo",
    "improved, test": "mejorado, prueba",
    "names": "nombres",
    "women": "mujeres",
    "men": "hombres",
    "Spain and Spanish America": "España e Hispanoamérica",
    "Catalan": "catalanes",
    "Basque": "vascos",
    "Galician": "gallegos",
    "native American": "indígenas americanos",
    "Arabic": "árabes",
    "African": "africanos",
    "Romanian and East European": "rumanos y de Europa del Este",
    "Ukrainian": "ucranianos",
    "Chinese": "chinos",
    "West European": "de Europa occidental",
}


class Writer:
    """Formatting of numbers, words and tables in one of the two languages."""

    def __init__(self, spanish: bool) -> None:
        self._spanish = spanish

    def word(self, english: str) -> str:
        return SPANISH[english] if self._spanish else english

    def number(self, value: float | None, digits: int) -> str:
        written = "–" if value is None else f"{value:.{digits}f}"
        return written.replace(".", ",") if self._spanish else written

    def share(self, value: float | None) -> str:
        return "–" if value is None else f"{self.number(value, 1)} %"

    def interval(self, figures: Sequence[float]) -> str:
        """A figure with the two ends of its interval."""
        value, *ends = (self.number(each, 1) for each in figures)
        return f"{value} [{'; '.join(ends)}]"

    def part(self, counts: Sequence[int] | None) -> str:
        if counts is None:
            return "–"
        masked, whole = (str(each) if self._spanish else f"{each:,}" for each in counts)
        return f"{masked} {self.word('of')} {whole}"

    def published(self, figure: Any) -> str:
        """The three F1 of a published figure; an asterisk marks a measure that the paper does not define."""
        unclear = figure.get("unclear", "")
        return " / ".join(f"{self.number(figure[task], 2)}{'*' * (task == unclear)}" for task in TASKS)

    def blind_name(self, name: str, measured: Any = None) -> str:
        """The name of a system; with the hashes of the `measured` models, whether it was the one in the package."""
        if name == "presidio":
            return "Presidio"
        was_before = measured is not None and measured.get(name, "") != checksum_of_shipped(name)
        return f"`{name}` ({self.word('predecessor')})" if was_before else f"`{name}`"

    def table(self, headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
        words = [heading if heading.startswith("`") else self.word(heading) for heading in headings]
        lines = (words, ["---"] * len(words), *rows)
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def checksum_of_shipped(name: str) -> str:
    """The SHA-256 of the checksums of a model in the package, as `nadie models verify` prints it."""
    return hashlib.sha256((MODELS / name / "checksums.json").read_bytes()).hexdigest()
