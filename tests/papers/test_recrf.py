"""ReCRF: rules that are learned, features, and a decoding that agrees with CRFsuite's own."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import numpy as np
import pycrfsuite
import pytest
from hypothesis import given
from hypothesis import strategies as st

from invented_notes import Silence, document_of
from nadie.crf.forward_backward import posteriors
from nadie.crf.viterbi import Chain
from nadie.detector import TrainingRun
from nadie.document import Document, Span
from nadie.errors import ConfigError, ModelError
from nadie.papers.recrf import ReCRF
from nadie.papers.recrf.context_features import context_features, parts_of_speech
from nadie.papers.recrf.fitting import all_features, shortened
from nadie.papers.recrf.model import marks
from nadie.papers.recrf.rule_generator import generate_rules, out_of_fold_rules
from nadie.papers.recrf.rules import LearnedRule, RuleSet, best_of
from nadie.papers.recrf.sequence import TokenSequence
from nadie.papers.recrf.word_features import window_features
from nadie.spanish.lexicon import Lexicon
from nadie.storage import read_model
from nadie.tokens.tagger import Tagger

NAMES = "Ana Luis Marta Pedro Elena Jorge Irene Raúl Sofía Hugo".split()
SURNAMES = "Soto Gil Roca Vega Pons Mora Cano Rey Lara Sanz".split()
TOWNS = "Lugo Vigo Soria Teruel Cuenca Jaca Olot Reus Baza Ronda".split()
LONG = "El estudio se completa con una resonancia sin contraste que no muestra ninguna otra lesión visible. "


def invented(count: int) -> list[Document]:
    """Small notes of a fixed form with their spans."""
    dice = random.Random(7)
    documents = []
    for number in range(count):
        pieces: list[tuple[str, str | None]] = [
            ("Nombre: ", None),
            (dice.choice(NAMES), "NOMBRE_SUJETO_ASISTENCIA"),
            (".\nApellidos: ", None),
            (f"{dice.choice(SURNAMES)} {dice.choice(SURNAMES)}", "NOMBRE_SUJETO_ASISTENCIA"),
            (".\nNHC: ", None),
            (str(dice.randrange(10**5, 10**7)), "ID_SUJETO_ASISTENCIA"),
            (".\nPaciente de ", None),
            (f"{dice.randrange(20, 90)} años", "EDAD_SUJETO_ASISTENCIA"),
            (" natural de ", None),
            (dice.choice(TOWNS), "TERRITORIO"),
            (" con dolor de 3 días de evolución.\n", None),
        ]
        documents.append(document_of(f"note{number}", pieces))
    return documents


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[ReCRF, Path]:
    work = tmp_path_factory.mktemp("recrf")
    settings = {"iterations": 40, "hints": ""}
    model = ReCRF.train(TrainingRun(invented(60), [], 1, work, Silence()), settings)
    return model, work


def test_it_learns(trained: tuple[ReCRF, Path]) -> None:
    new = invented(90)[60:]
    assert [set(spans) for spans in trained[0].detect(new)] == [set(document.spans) for document in new]


def test_decoding_agrees_with_crfsuite(trained: tuple[ReCRF, Path]) -> None:
    model, work = trained
    tagger = pycrfsuite.Tagger()
    tagger.open(str(work / "model.crfsuite"))
    lexicon = Lexicon.shared()
    for document in invented(5):
        note = TokenSequence.of(document.text)
        (parts,) = parts_of_speech([note], Tagger.shared())
        context = context_features(note, lexicon, marks(document, model.rules, []), parts)
        tagger.set(all_features(note, context, partial(window_features, lexicon=lexicon)))
        emissions = model._emissions.of_words(note.words) + model._emissions.of_features(context)
        chain = Chain(model.weights.transitions)
        (path,) = chain.best_paths([emissions])
        assert [model.weights.tags[tag] for tag in path] == tagger.tag()
        (posterior,) = posteriors([emissions], chain)
        for t in range(0, len(note.words), 5):
            for i, tag in enumerate(model.weights.tags):
                assert posterior.marginals[t, i] == pytest.approx(tagger.marginal(tag, t), abs=5e-3)


def test_the_same_data_gives_the_same_model(trained: tuple[ReCRF, Path], tmp_path: Path) -> None:
    again = ReCRF.train(TrainingRun(invented(60), [], 1, tmp_path, Silence()), {"iterations": 40, "hints": ""})
    assert again.rules.rules == trained[0].rules.rules
    assert np.array_equal(again.weights.rows, trained[0].weights.rows)


def test_save_and_load(trained: tuple[ReCRF, Path], tmp_path: Path) -> None:
    trained[0].save(tmp_path / "mine", {"seed": 1})
    loaded = ReCRF.load(read_model(tmp_path / "mine"))
    assert loaded.detect(invented(20)) == trained[0].detect(invented(20))


def test_notes_of_a_teacher_give_no_rules_and_no_copies(tmp_path: Path) -> None:
    class Steps(Silence):
        def __init__(self) -> None:
            self.totals: dict[str, int] = {}

        def start(self, task: str, total: int) -> None:
            self.totals[task] = total

    gold, steps = invented(5), Steps()
    silver = [
        Document(f"silver{i}", f"Vive en {town}.", (Span(8, 8 + len(town), "TERRITORIO"),), {"silver": "true"})
        for i, town in enumerate(TOWNS)
    ]
    settings = {"iterations": 5, "copies": 2}
    model = ReCRF.train(TrainingRun([*gold, *silver], [], 1, tmp_path, steps), settings)
    assert steps.totals["features"] == 5 + 2 * 5 + 10
    assert model.rules.rules == generate_rules(gold).rules


def test_a_setting_that_does_not_exist() -> None:
    with pytest.raises(ConfigError, match="iterations"):
        ReCRF.train(TrainingRun(invented(2), [], 1, Path(), Silence()), {"epochs": 3})


def test_rules_are_learned_and_find_their_bodies() -> None:
    rules = generate_rules(invented(60))
    assert {rule.label for rule in rules.rules} >= {"ID_SUJETO_ASISTENCIA", "EDAD_SUJETO_ASISTENCIA"}
    assert all(rule.precision > 0.8 and rule.support >= 3 for rule in rules.rules)
    note = Document("new", "NHC: 7654321.\nPaciente de 44 años natural de Huete con dolor de 3 días de evolución.\n")
    found = {note.text_of(span): span.label for span in best_of(rules.find(note.text))}
    assert found["7654321"] == "ID_SUJETO_ASISTENCIA"
    assert found["44 años"] == "EDAD_SUJETO_ASISTENCIA"
    assert found["Huete"] == "TERRITORIO"


def test_no_note_sees_rules_that_it_gave() -> None:
    """A value that only one note has cannot be in the rules that the note is marked with."""
    documents = invented(20)
    odd = "Contacto: Zzyzx.\n" * 6
    at = [i for i in range(len(odd)) if odd.startswith("Zzyzx", i)]
    documents[3] = Document("odd", odd, tuple(Span(i, i + 5, "OTROS_SUJETO_ASISTENCIA") for i in at))
    per_note = out_of_fold_rules(documents)
    assert not any(rule.label == "OTROS_SUJETO_ASISTENCIA" for rule in per_note[3].rules)


def test_rules_survive_the_way_to_disk() -> None:
    rules = generate_rules(invented(60))
    again = RuleSet.parse(rules.dump())
    assert [r.expression for r in again.rules] == [r.expression for r in rules.rules]
    with pytest.raises(ModelError):
        RuleSet.parse(b'[{"nonsense": 1}]')


def test_rules_on_hostile_text_stay_linear() -> None:
    rule = LearnedRule("PAIS", r"(?i:de)\s*", r"(?:\p{Lu}\p{L}+[ ]?){1,6}", r"\s*$")
    assert RuleSet([rule]).find("de " + "Aa " * 20_000 + "!") == []


def test_the_most_precise_match_wins() -> None:
    wide, sure = Span(0, 9, "CALLE", 0.8), Span(5, 9, "TERRITORIO", 0.95)
    assert best_of([(0, wide), (1, sure)]) == [sure]


def test_bias_finds_more_or_less(trained: tuple[ReCRF, Path]) -> None:
    notes = [Document("d", "Avisar a Teodora Pinto en la planta 4.\nCama 12, Zamora.\nSin cambios, 3 días.\n")]
    found = {bias: sum(map(len, trained[0].with_bias(bias).detect(notes)[0])) for bias in (-50.0, 0.0, 50.0)}
    assert found[-50.0] == 0
    assert found[-50.0] <= found[0.0] < found[50.0]
    for span in trained[0].with_bias(50.0).detect(notes)[0]:
        assert notes[0].text_of(span).strip() == notes[0].text_of(span)


def test_long_sentences_without_identifiers_go() -> None:
    document = Document("d", f"Nombre: Ana.\n{LONG}{LONG}Vive en Lugo.", (Span(8, 11, "NOMBRE_SUJETO_ASISTENCIA"),))
    short = shortened(document, random.Random(1), 0.0)
    assert short.text == "Nombre: Ana.\nVive en Lugo."
    assert [short.text_of(span) for span in short.spans] == ["Ana"]
    assert shortened(document, random.Random(1), 1.0) == document


@given(st.data())
def test_every_span_keeps_its_text(data: st.DataObject) -> None:
    pieces = data.draw(st.lists(st.sampled_from([LONG, "Vive en Lugo.\n", "NHC: 12. ", "\n", "Dr. Gil "]), max_size=8))
    text = "".join(pieces)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = [Span(a, b, "FECHAS") for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    document = Document("d", text, tuple(spans))
    short = shortened(document, random.Random(data.draw(st.integers(0, 9))), 0.3)
    assert [short.text_of(span) for span in short.spans] == [document.text_of(span) for span in document.spans]
