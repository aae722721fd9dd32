"""Numbers, words and tables of figures, written in English or Spanish."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
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
    "commit": "commit",
    "Measured on": "Medido el",
    "Last column": "Última columna",
    "the systems of the papers": "los sistemas de los artículos el",
    "hashes": "Junto a cada modelo, el comienzo de su huella SHA-256, como la muestra `nadie models verify`; *versión"
    " anterior*: el modelo del paquete es posterior.",
    "PHI covered, later notes": "datos cubiertos, notas posteriores",
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

_ENGLISH = {
    "the systems of the papers": "the systems of the papers on",
    "hashes": "Beside each model is the beginning of its hash, as `nadie models verify` prints it; *predecessor*: the"
    " model in the package is a later one.",
}


class Writer:
    """Formatting of numbers, words and tables in one of the two languages."""

    def __init__(self, spanish: bool) -> None:
        self._spanish = spanish

    def word(self, english: str) -> str:
        return SPANISH[english] if self._spanish else _ENGLISH.get(english, english)

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

    def blind_name(self, name: str, blind: Any) -> str:
        """The name of a system with the hash of the model that was measured, and whether the package has another."""
        if name == "presidio":
            return "Presidio"
        measured = blind["model_checksums"][name]
        before = "" if measured == checksum_of_shipped(name) else f"{self.word('predecessor')} "
        return f"`{name}` ({before}`{measured[:8]}`)"

    def measured(self, blind: Any, names: Collection[str]) -> str:
        """When the systems of a table were measured, and of what."""
        now, before = (blind[key] if key else blind for key in ("", "papers"))
        of_papers = [name for name in names if name not in ("fast", "best", "presidio")]
        parts = [now] * (len(of_papers) < len(names)) + [before] * bool(of_papers)
        times = [f"{part['date']} ({self.word('commit')} `{part['commit']}`)" for part in parts]
        of_both = f", {self.word('the systems of the papers')} " if len(times) > 1 else ""
        return f"{self.word('Measured on')} {of_both.join(times)}."

    def hashes(self, blind: Any, names: Collection[str]) -> str:
        """The same, and what the hashes of `blind_name` are."""
        return f"{self.measured(blind, names)} {self.word('hashes')}\n"

    def table(self, headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
        words = [heading if heading.startswith("`") else self.word(heading) for heading in headings]
        lines = (words, ["---"] * len(words), *rows)
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def checksum_of_shipped(name: str) -> str:
    """The SHA-256 of the checksums of a model in the package, as `nadie models verify` prints it."""
    return hashlib.sha256((MODELS / name / "checksums.json").read_bytes()).hexdigest()
