"""What is found is what is masked: annotate and anonymize cover the same characters, whatever the policy keeps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import Policy, Rule, read_policy
from nadie.anonymize.secret import Key
from nadie.document import FIELD, Document, Span
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.options import Spans
from nadie.resolve.completing import complete
from nadie.resolve.lists import Lists
from nadie.resolve.outside import is_completed
from nadie.resolve.overlaps import disjoint
from nadie.resolve.thresholds import Thresholds
from nadie.run.documents import load
from nadie.run.pipeline import Pipeline

ROOT = Path(__file__).resolve().parent.parent.parent
KEY = Key(b"k" * 32)
PATIENT, STAFF = Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO
VALUES = {
    "Ana Pérez Soto": (PATIENT, 0.9), "Wilson": (PATIENT, 0.4), "Luis Toledo Gil": (STAFF, 0.8),
    "Eva Pérez": (STAFF, 0.7), "Ana Soto": (STAFF, 0.6), "Toledo": (Label.TERRITORIO, 0.9),
    "Hospital Santa Ana": (Label.HOSPITAL, 0.5), "España": (Label.PAIS, 0.9), "9 de mayo": (Label.FECHAS, 0.9),
    "1234567": (Label.ID_SUJETO_ASISTENCIA, 0.9), "ana@salud.es": (Label.CORREO_ELECTRONICO, 0.9),
}  # fmt: skip
AGAIN = (
    *(
        "APS",
        "A.P.S.",
        "anaperezsoto",
        "ANAPEREZ_TC.dcm",
        "usuario aperez",
        "Sra. Pérez",
        "A. Pérez",
        "PEREZ SOTO, ANA",
    ),
    *("Dr. Toledo", "ltoledog", "LTG", "Anita", "Soto", "soto", "Gil", "Wilson", "enfermedad de Wilson", "enf. Wilson"),
    *("TOLEDO", "Toledo", "hospital santa ana", "ESPAÑA", "12 34 567", "del 2 al", "de 2019", "lunes", "en verano"),
    *(
        "en Navidad",
        "Semana Santa de 2018",
        "TAC",
        "Ana",
        "Costa Blanca",
        "ana@salud.es",
        "y",
        "\n",
        "Eva",
        "eva perez",
    ),
)


def keeping(*labels: str, base: str = "research") -> Policy:
    return read_policy(base).with_rules({label: Rule("keep") for label in labels})


ENGINES = [
    Engine(policy, KEY)
    for policy in (
        *map(read_policy, ("default", "research", "hipaa-safe-harbor", "gdpr-pseudonymise")),
        *(keeping("NAME"), keeping(STAFF), keeping(PATIENT, base="default"), keeping("DATE"), keeping("LOCATION")),
    )
]


class FirstOnly:
    """Finds each of `VALUES` where it stands first, and misses it wherever else it stands."""

    name = "first"

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [tuple(disjoint(self._spans(document.text))) for document in documents]

    def _spans(self, text: str) -> Iterable[Span]:
        for value, (label, score) in VALUES.items():
            if (start := text.find(value)) >= 0:
                yield Span(start, start + len(value), label, score, self.name)


PIPELINES = (
    Pipeline(FirstOnly()),
    Pipeline(FirstOnly(), lists=Lists.of(("Toledo", "Soto", "Wilson"), (("TAC", Label.OTRO_NUMERO_IDENTIF),))),
    Pipeline(FirstOnly(), labels=frozenset({PATIENT, STAFF})),
    Pipeline(FirstOnly(), labels=frozenset({Label.FECHAS, Label.TERRITORIO})),
    Pipeline(FirstOnly(), thresholds=Thresholds(0.65)),
)
notes = st.lists(st.sampled_from((*VALUES, *AGAIN)), min_size=1, max_size=14).flatmap(
    lambda parts: st.sampled_from((" ", ". ", ", ", "_")).map(lambda gap: gap.join(parts))
)


def covered(spans: Iterable[Span]) -> set[int]:
    return {at for span in spans for at in range(span.start, span.end)}


def masked(pipeline: Pipeline, engine: Engine, document: Document) -> set[int]:
    """The characters that are replaced, or kept because the policy keeps their label."""
    done = next(replace(pipeline, engine=engine).anonymize_all([document]))
    return covered(r.span for r in done.replaced)


@settings(max_examples=150)
@given(notes, st.sampled_from(PIPELINES))
def test_annotate_and_anonymize_cover_the_same(text: str, pipeline: Pipeline) -> None:
    found = pipeline.annotate(text)
    for engine in ENGINES:
        assert masked(pipeline, engine, Document("", text)) == covered(found.spans)
        assert covered(replace(pipeline, engine=engine).annotate(text).spans) == covered(found.spans)
    if pipeline.labels is not None:
        assert {span.label for span in found.spans} <= pipeline.labels


@settings(max_examples=100)
@given(notes)
def test_given_spans_are_completed_and_no_others_are_detected(text: str) -> None:
    spans = [replace(span, source="person") for span in FirstOnly().detect([Document("", text)])[0][::2]]
    note = Document("", text, tuple(spans))
    both = note.with_spans(replace(span, source=FIELD) for span in spans)
    for engine in ENGINES:
        if spans:
            assert masked(Pipeline(FirstOnly()), engine, note) == covered(complete(note).spans)
        pipeline = Pipeline(FirstOnly(), spans=Spans.BOTH)
        assert masked(pipeline, engine, note) == covered(pipeline.annotate(both).spans)


@settings(max_examples=100)
@given(notes)
def test_what_was_annotated_can_be_anonymized_later(text: str) -> None:
    pipeline = Pipeline(FirstOnly(), ENGINES[1])
    assert pipeline.anonymize(pipeline.annotate(Document("n", text))) == pipeline.anonymize(Document("n", text))


def test_every_note_is_covered_as_it_is_annotated() -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.txt"))]
    written = [
        note for path in sorted((ROOT / "data/notes/dev").glob("*.txt")) for note in read_documents(path, "notes")
    ]
    bare = [Document(str(n), text) for n, text in enumerate((*texts, *(note.text for note in written)))]
    pipeline = load("fast")
    found = list(pipeline.annotate_all(bare))
    assert any(map(is_completed, (span for note in found for span in note.spans)))
    for engine in ENGINES[:6]:
        own = replace(pipeline, engine=engine)
        expected = list(own.annotate_all(bare)) if engine.invents_names else found  # there a second detector finds too
        done = [covered(r.span for r in each.replaced) for each in own.anonymize_all(bare)]
        assert done == [covered(note.spans) for note in expected]
        assert all(covered(a.spans) <= covered(b.spans) for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize("again", ["anaperezsoto", "APS"])
def test_a_new_span_has_its_stage_and_the_label_and_score_of_what_it_repeats(again: str) -> None:
    found = Pipeline(FirstOnly()).annotate(
        f"Ana Pérez Soto, estudio {again} y Toledo; luego TOLEDO, del 2 al 9 de mayo."
    )
    new = {found.text_of(s): (s.source, s.label, s.score) for s in found.spans if is_completed(s)}
    assert new == {
        again: ("complete:names", PATIENT, 0.9),
        "TOLEDO": ("complete:values", Label.TERRITORIO, 0.9),
        "2": ("complete:dates", Label.FECHAS, 0.9),
    }


@pytest.mark.parametrize(
    "text", ["Eva Pérez trata a Ana Pérez Soto. Pérez", "Toledo. Luis Toledo Gil, y Toledo mejora"]
)
def test_a_value_of_two_labels_is_not_kept_if_one_of_them_is_not(text: str) -> None:
    """A surname that the kept physician, or a kept town, shares with somebody whose name is replaced."""
    kept, hidden = ((STAFF,), PATIENT) if "Eva" in text else (("LOCATION",), STAFF)
    pipeline = Pipeline(FirstOnly(), Engine(keeping(*kept, base="default"), KEY))
    [span] = [span for span in pipeline.annotate(text).spans if is_completed(span)]
    assert span.label == hidden
    assert pipeline.annotate(text) == next(pipeline.anonymize_all([Document("", text)])).document
