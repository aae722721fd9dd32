"""Write a page for each of the 29 labels, in English and Spanish, under docs/en and docs/es in reference/labels.

    python scripts/build_label_pages.py

What a label covers and the words of the pages are in docs/labels.toml, the examples are the regression cases of
tests/models with those that a model is known to fail, the policies replace the first example with a fixed key, and the
figures are those of docs/results.json.
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import check_translations
from build_policy_examples import SECRET

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy, shipped
from nadie.document import Document
from nadie.files.annotated.notes import CODES, Marked, parse_marks
from nadie.labels import DIRECT, Label
from nadie.resolve.completing import complete

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "models"
MODELS = ("fast", "best")
MOST_EXAMPLES = 8
CODE_OF = {label: code for code, label in CODES.items()}
_MARK = re.compile(r"\{(?:!|([A-Z]+)\|)([^}]*)\}")

Words = Mapping[str, str]
_KEYS = {"en": ("title", "finds", "leaves"), "es": ("titulo", "halla", "deja")}
FEW = 200  # characters of a label in the suite


def file_name(label: Label) -> str:
    return label.lower().replace("_", "-") + ".md"


def pages() -> dict[Path, str]:
    """Every page by its path."""
    contents = tomllib.loads((ROOT / "docs" / "labels.toml").read_text(encoding="utf-8"))
    results = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))
    written: dict[str, dict[str, str]] = {}
    for language in ("en", "es"):
        words = _words(contents["words"], language)
        written[language] = {"index.md": _index(contents, language, words)} | {
            file_name(label): _page(label, contents[label], results, language, words) for label in Label
        }
    english, spanish = written["en"], written["es"]
    folders = {language: ROOT / "docs" / language / "reference" / "labels" for language in written}
    return {folders["en"] / name: text for name, text in english.items()} | {
        folders["es"] / name: _stamped(text, english[name]) for name, text in spanish.items()
    }


def _stamped(spanish: str, english: str) -> str:
    """The Spanish page with the hash of its English section below each heading."""
    stamps = map(check_translations.stamp_of, check_translations.sections(english))
    return re.sub(r"^#.*$", lambda heading: f"{heading[0]}\n<!-- en: {next(stamps)} -->", spanish, flags=re.MULTILINE)


def _index(contents: Any, language: str, words: Words) -> str:
    title = _KEYS[language][0]
    rows = [
        (f"[{label}]({file_name(label)})", contents[label][title], words["alone" if label in DIRECT else "together"])
        for label in Label
    ]
    return (
        f"# {words['index']}\n\n{words['index_text']}\n\n{words['unnamed']}\n\n## {words['list']}\n\n"
        f"{_table((words['label'], words['what'], words['sort']), rows)}"
    )


def _page(label: Label, content: Any, results: Any, language: str, words: Words) -> str:
    title, finds, leaves = (content[key] for key in _KEYS[language])
    hipaa = words["hipaa"].format(letter=label.hipaa.value) if label.hipaa else words["no_hipaa"]
    direct = words["direct" if label in DIRECT else "indirect"]
    parts = [
        f"# {label}: {title}",
        words["facts"].format(parent=label.parent, direct=direct, hipaa=hipaa, code=CODE_OF[label]),
        f"## {words['finds']}",
        finds,
        f"## {words['leaves']}",
        leaves,
        f"## {words['examples']}",
        words["examples_text"],
        _examples(label, words),
        f"## {words['policies']}",
        words["policies_text"].format(label=label),
        _policies(label, words),
        f"## {words['figures']}",
        *_figures(label, results, words),
    ]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _examples(label: Label, words: Words) -> str:
    """The regression cases of a label: all that a model fails, as far as there is room for, and the first others."""
    failures = {model: (CASES / f"known_failures_{model}.txt").read_text("utf-8").splitlines() for model in MODELS}
    lines = _cases(label)
    failed = [line for line in lines if line in failures["fast"] + failures["best"]]
    chosen = [line for line in lines if line not in failed][: max(MOST_EXAMPLES - len(failed), 3)] + failed
    rows = [
        (
            _shown(line, CODE_OF[label]),
            *(words["missed" if line in failures[model] else "found"] for model in MODELS),
        )
        for line in sorted(chosen[:MOST_EXAMPLES], key=lines.index)
    ]
    return _table((words["example"], "`fast`", "`best`"), rows)


def _cases(label: Label) -> list[str]:
    code = f"{{{CODE_OF[label]}|"
    return [
        line
        for line in (CASES / "cases.txt").read_text(encoding="utf-8").splitlines()
        if code in line and not line.startswith("#")
    ]


def _shown(line: str, code: str) -> str:
    def mark(found: re.Match[str]) -> str:
        sign = "" if found[1] is None else "**" if found[1] == code else "*"
        return f"{sign}{found[2]}{sign}"

    return _MARK.sub(mark, line).replace("|", "&#124;")


def _policies(label: Label, words: Words) -> str:
    example = parse_marks(_cases(label)[0], file="cases.txt")
    rows = []
    for name in shipped():
        operator = _engine(name).policy.operators()[label].name
        rows.append((f"`{name}`", f"`{operator}`", _through(name, example)))
    return _table((words["policy"], words["operator"], words["output"]), rows)


@functools.cache
def _engine(policy: str) -> Engine:
    return Engine(read_policy(policy), SECRET.key())


@functools.cache
def _through(policy: str, example: Marked) -> str:
    engine = _engine(policy)
    output = engine.run(complete(Document("example", example.text, example.spans), engine.kept)).text
    return f"`{output}`".replace("|", "&#124;")


def _figures(label: Label, results: Any, words: Words) -> list[str]:
    suite = results["suite"]["by_label"][label]
    few = words["few"] if suite["characters"] < FEW else ""
    number = f"{suite['characters']:,}".replace(",", words["thousands"])
    rows = [
        (name if name == "Presidio" else f"`{name}`", _decimal(suite[name.lower()], words) + " %")
        for name in ("fast", "best", "Presidio")
    ]
    development = results["development"]["by_label"].get(label)
    told = (
        words["development"].format(spans=development["spans"], f1=_decimal(development["fast"], words))
        if development
        else words["no_development"]
    )
    table = _table((words["system"], words["covered"]), rows)
    return [words["figures_text"].format(count=number) + few, table, told, words["limits"]]


def _decimal(value: float, words: Words) -> str:
    return f"{value:.1f}".replace(".", words["decimal"])


def _words(words: Mapping[str, Words], language: str) -> Words:
    """The words of a language; in Spanish, pages that exist in English only are linked there."""
    return {key: text.replace("{english}", "../../../en/") for key, text in words[language].items()}


def _table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = (headings, ("---",) * len(headings), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
