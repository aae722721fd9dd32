"""The robustness suite: its notes are sound, its markup is strict, and its figures are right."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from nadie.cli.evaluation_tables import COUNTRIES, suite_tables
from nadie.cli.robust import measure
from nadie.detector import DETECTORS
from nadie.document import Document, Span
from nadie.errors import UnknownNameError
from nadie.evaluation.suite.runner import PLAIN, load_notes, run_suite
from nadie.files.annotated.notes import parse_marks
from nadie.labels import LABELS, Label
from nadie.storage import ModelFolder, write_model

NOTES = load_notes()


def _traps(note: Document) -> list[tuple[int, int]]:
    return [(int(start), int(end)) for start, end in (trap.split("-") for trap in note.meta.get("traps", "").split())]


class TestTheCollection:
    def test_it_is_as_large_and_varied_as_it_claims(self) -> None:
        assert len(NOTES) >= 90
        assert len({note.meta["style"] for note in NOTES}) >= 20
        assert len({note.meta["country"] for note in NOTES}) >= 14
        assert sum(len(_traps(note)) for note in NOTES) >= 1000

    def test_every_label_occurs_at_least_twice(self) -> None:
        counts = Counter(span.label for note in NOTES for span in note.spans)
        assert set(counts) == LABELS
        assert min(counts.values()) >= 2

    def test_at_least_twelve_notes_hold_hardly_anything_to_find(self) -> None:
        assert sum(len(note.spans) <= 2 and len(_traps(note)) >= 8 for note in NOTES) >= 12

    def test_notes_have_a_style_a_country_and_a_numbered_id(self) -> None:
        for note in NOTES:
            assert note.id.rpartition("-")[2].isdigit()
            assert note.meta["style"]
            assert note.meta["country"] in COUNTRIES

    def test_nothing_overlaps(self) -> None:
        for note in NOTES:
            places = sorted([*((span.start, span.end) for span in note.spans), *_traps(note)])
            assert all(before[1] <= after[0] for before, after in pairwise(places)), note.id

    def test_spans_begin_and_end_with_a_letter_or_digit(self) -> None:
        for note in NOTES:
            for span in note.spans:
                words = note.text_of(span)
                assert words[0].isalnum(), (note.id, span)
                assert words[-1].isalnum(), (note.id, span)

    def test_titles_stay_outside_names(self) -> None:
        title = re.compile(r"(?i)(dra?|sra?|don|doña|lic|enf)\.? ")
        names = (Label.NOMBRE_PERSONAL_SANITARIO, Label.NOMBRE_SUJETO_ASISTENCIA)
        for note in NOTES:
            for span in note.spans:
                if span.label in names:
                    assert not title.match(note.text_of(span)), (note.id, span)

    def test_a_number_of_one_patient_is_not_that_of_another(self) -> None:
        unique = {Label.ID_SUJETO_ASISTENCIA, Label.ID_ASEGURAMIENTO, Label.NUMERO_TELEFONO}
        seen: dict[str, str] = {}
        for each in NOTES:
            for span in each.spans:
                words = each.text_of(span)
                if span.label in unique and sum(map(str.isdigit, words)) > 5:
                    assert seen.setdefault(words, each.id) == each.id


class Perfect:
    """Knows the answers by heart, given the text alone."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._known = {document.text: document.spans for document in documents}

    def annotate_all(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            assert not document.spans, "the system must not see gold"
            yield document.with_spans(self._known.get(document.text, ()))


class Everything:
    """Masks the whole text, twice over."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [(Span(0, len(d.text), "FECHAS"), Span(0, len(d.text), "PAIS")) for d in documents]


class Nothing:
    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [() for _ in documents]


def _note(source: str, style: str = "triage", country: str = "ES", name: str = "n") -> Document:
    marked = parse_marks(source, file="n")
    traps = " ".join(f"{start}-{end}" for start, end in marked.traps)
    return Document(name, marked.text, marked.spans, {"style": style, "country": country, "traps": traps})


class TestTheRunner:
    def test_a_perfect_system_misses_nothing_and_falls_for_nothing(self) -> None:
        result = run_suite(Perfect(NOTES))
        everything = result.notes
        assert everything.documents == everything.safe == len(NOTES)
        assert everything.characters.recall == everything.characters.precision == everything.subtask1.f1 == 1.0
        assert everything.traps.masked == 0
        assert everything.traps.all == sum(len(_traps(note)) for note in NOTES)
        assert everything.overmasked_share == 0.0
        assert set(result.by_label) == LABELS

    def test_a_system_that_masks_everything_falls_for_every_trap(self) -> None:
        everything = run_suite(Everything()).notes
        assert everything.characters.recall == everything.overmasked_share == everything.traps.masked_share == 1.0
        assert everything.characters.precision < 0.5
        assert everything.subtask1.tp == 0

    def test_a_system_that_finds_nothing_is_safe_only_where_there_is_nothing(self) -> None:
        result = run_suite(Nothing())
        assert result.notes.characters.recall == 0.0
        assert result.notes.safe == sum(not note.spans for note in NOTES)
        assert result.notes.traps.masked == 0

    def test_groups_add_up_to_the_whole(self) -> None:
        result = run_suite(Everything())
        for groups in (result.by_country, result.by_style):
            assert sum(each.characters.system for each in groups.values()) == result.notes.characters.system
            assert sum(each.traps.all for each in groups.values()) == result.notes.traps.all
            assert sum(each.documents for each in groups.values()) == len(NOTES)

    @pytest.mark.parametrize(
        ("found", "masked"),
        [((14, 20), 1), ((19, 25), 1), ((0, 13), 0), ((20, 21), 0), ((10, 14), 0), ((10, 15), 1), ((16, 17), 1)],
    )
    def test_one_character_of_a_trap_is_enough(self, found: tuple[int, int], masked: int) -> None:
        note = _note("enfermedad de {!Wilson} en estudio")
        assert _traps(note) == [(14, 20)]

        class One:
            def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
                return [(Span(*found, "FECHAS"),)]

        assert run_suite(One(), notes=[note]).notes.traps.masked == masked

    def test_figures_are_counted_by_hand(self) -> None:
        """Of `Ana` (3) and `1/2/22` (6) the system has the name, `2/22` and the 6 of the eponym."""
        notes = [
            _note("{PAC|Ana} {FECHA|1/2/22} {!Wilson} {!120/80}", "triage", "ES", "a"),
            _note("nada", "icu", "PE", "b"),
        ]

        class Half:
            def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
                spans = (
                    Span(0, 3, Label.NOMBRE_SUJETO_ASISTENCIA),
                    Span(6, 10, Label.FECHAS),
                    Span(11, 17, Label.PAIS),
                )
                return [spans if document.id == "a" else () for document in documents]

        result = run_suite(Half(), notes=notes)
        triage = result.by_style["triage"]
        assert (triage.characters.gold, triage.characters.system, triage.characters.both) == (9, 13, 7)
        assert (triage.subtask1.tp, triage.subtask1.fp, triage.subtask1.fn) == (1, 2, 1)
        assert (triage.traps.terms_masked, triage.traps.figures_masked, triage.traps.all) == (1, 0, 2)
        assert (triage.safe, result.notes.safe, result.notes.documents) == (0, 1, 2)
        assert triage.overmasked_share == pytest.approx(6 / 12)
        assert result.by_country["PE"].safe_share == 1.0
        assert result.by_label[Label.FECHAS].recall == pytest.approx(4 / 6)

    def test_the_corpus_is_measured_plain_and_altered(self) -> None:
        gold = [Document("a", "Ana Gil", (Span(0, 7, Label.NOMBRE_SUJETO_ASISTENCIA),)), Document("b", "nada")]
        drawn: list[float] = []

        def upper(document: Document, chance: Random) -> Document:
            drawn.append(chance.random())
            return Document(document.id, document.text.upper(), document.spans)

        parts: list[str] = []
        result = run_suite(Perfect(gold), gold, alterations={"upper": upper}, notes=[], seed=7, watch=parts.append)
        assert list(result.corpus) == [PLAIN, "upper"]
        assert result.corpus[PLAIN].characters.recall == 1.0
        assert result.corpus["upper"].characters.recall == 0.0
        assert result.corpus["upper"].safe_share == 0.5
        assert len(set(drawn)) == 2
        first = tuple(drawn)
        run_suite(Perfect(gold), gold[1:], alterations={"upper": upper}, notes=[], seed=7)
        assert drawn[2:] == [first[1]], "what happens to a document does not depend on the others"
        assert parts[1:] == [PLAIN, "upper"]

    def test_tables_and_json_tell_the_same(self) -> None:
        gold = [Document("a", "Ana Gil", (Span(0, 7, Label.NOMBRE_SUJETO_ASISTENCIA),))]
        result = run_suite(Everything(), gold, alterations={"same": lambda document, chance: document})
        page = StringIO()
        console = Console(file=page, width=120)
        for table in suite_tables(result):
            console.print(table)
        shown = page.getvalue()
        for expected in ("same", "Argentina", "psychiatry", "FECHAS", f"{result.notes.traps.terms} of"):
            assert expected in shown
        data = json.loads(json.dumps(result.summary(), allow_nan=False))
        assert data["notes"]["traps_masked_share"] == 1.0
        assert data["corpus"]["same"]["character_recall"] == 1.0
        assert set(data["by_country"]) == {note.meta["country"] for note in NOTES}


class Dates:
    """A small system in a model folder: figures with slashes are dates."""

    name = "dates"

    @classmethod
    def load(cls, folder: ModelFolder) -> Dates:
        return cls()

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        pattern = re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}")
        return [tuple(Span(*found.span(), Label.FECHAS) for found in pattern.finditer(d.text)) for d in documents]


class TestTheCommand:
    @pytest.fixture
    def model(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
        monkeypatch.setitem(DETECTORS._added, "dates", Dates)
        write_model(tmp_path / "dates", system="dates", config={}, card={}, files={})
        return str(tmp_path / "dates")

    @pytest.fixture
    def corpus(self, tmp_path: Path) -> Path:
        folder = tmp_path / "corpus"
        folder.mkdir()
        text = "Nombre: Ana .\nFecha de Ingreso: 03/04/2022.\n"
        (folder / "uno.txt").write_text(text, encoding="utf-8")
        marks = "T1\tNOMBRE_SUJETO_ASISTENCIA 8 11\tAna\nT2\tFECHAS 32 42\t03/04/2022\n"
        (folder / "uno.ann").write_text(marks, encoding="utf-8")
        return folder

    def test_json_has_every_alteration_beside_the_plain_score(
        self, model: str, corpus: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        measure(model, corpus, as_json=True)
        data = json.loads(capsys.readouterr().out)
        assert {PLAIN, "labels-removed", "upper", "lower", "nfd", "crlf", "one-line", "typos"} <= set(data["corpus"])
        assert data["corpus"][PLAIN]["character_recall"] == pytest.approx(10 / 13)
        assert data["corpus"]["upper"]["character_recall"] == data["corpus"][PLAIN]["character_recall"]
        assert 0 < data["notes"]["character_recall"] < 0.2

    def test_tables_without_a_corpus(self, model: str, capsys: pytest.CaptureFixture[str]) -> None:
        measure(model, None, as_json=False)
        shown = capsys.readouterr().out
        assert "Hand-written notes, by country" in shown
        assert "labels-removed" not in shown

    def test_a_model_that_is_not_there(self) -> None:
        with pytest.raises(UnknownNameError):
            measure("no-such-model", None, as_json=False)
