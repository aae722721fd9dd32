"""The parts of TCCNN: notes, candidates, channels, and the final filter with its constraints."""

from __future__ import annotations

from pathlib import Path

import pytest

from invented_notes import invented
from nadie.document import Document, Span
from nadie.errors import ConfigError, ModelError
from nadie.files.annotated.reading import read_documents
from nadie.labels import LABELS
from nadie.papers.tccnn.candidates import Generator, kind, recall
from nadie.papers.tccnn.classify import surest
from nadie.papers.tccnn.constraints import Constraints, parse_constraints
from nadie.papers.tccnn.encoding import CANDIDATE_CHARACTERS, encode
from nadie.papers.tccnn.learning_candidates import FilterPlan, learn_generator, out_of_fold
from nadie.papers.tccnn.note import NEW_LINE, gold_places, read_notes
from nadie.papers.tccnn.vocabulary import CandidateVocabulary, build_vocabulary
from nadie.resolve.overlaps import left_most_longest
from nadie.tokens.view import seen

NO_WORDS = frozenset[str]()
OPEN = Generator(5, NO_WORDS, NO_WORDS, NO_WORDS, NO_WORDS, frozenset({":", "("}), frozenset({".", ",", ")"}))


def candidates(text: str, generator: Generator = OPEN) -> list[str]:
    (note,) = read_notes([text])
    return [text[note.starts[first] : note.ends[stop - 1]] for first, stop in generator.places(note)]


# --- notes ---------------------------------------------------------------------------------------------------------


def test_a_note_has_its_words_tags_and_line_ends() -> None:
    (note,) = read_notes(["Nombre:Ana\n\nSoria."])
    assert note.words == ("Nombre", ":", "Ana", NEW_LINE, "Soria", ".")
    assert note.glued == (False, True, True, False, False, True)
    assert note.tags[3] == "LINE"
    assert note.span(4, 5, "TERRITORIO", 0.5, "x") == Span(12, 17, "TERRITORIO")


def test_many_notes_are_read_as_each_alone() -> None:
    texts = [document.text for document in invented(5, 1)] + ["", "Uno"]
    assert read_notes(texts) == [read_notes([text])[0] for text in texts]


def test_a_span_that_cuts_a_word_has_no_place() -> None:
    document = Document("d", "Vive en Soria hoy", (Span(8, 13, "TERRITORIO"), Span(14, 16, "FECHAS")))
    (note,) = read_notes([document.text])
    assert gold_places(note, document) == {(2, 3): "TERRITORIO"}


# --- candidates ----------------------------------------------------------------------------------------------------


def test_no_noun_phrase_begins_or_ends_with_a_small_word() -> None:
    found = candidates("El hospital de la ciudad y la casa.")
    assert {"hospital", "hospital de la ciudad", "ciudad y la casa"} <= set(found)
    assert not [text for text in found if text.split()[0] in ("El", "de", "la", "y") or text.endswith(("de", "la"))]


def test_verbs_cut_candidates_and_participles_do_not() -> None:
    found = candidates("Juan llegó ayer. Un recién nacido sano.")
    assert not [text for text in found if "llegó" in text]
    assert [text for text in found if "nacido" in text]


def test_words_of_an_address_are_never_verbs() -> None:
    generator = Generator(9, *[frozenset[str]()] * 6)
    assert "come.viene@sale.es" in candidates("Correo come.viene@sale.es", generator)


@pytest.mark.parametrize(
    ("text", "there", "missing"),
    [
        ("casa (verde) grande", "casa (verde) grande", "casa (verde"),
        ("casa (verde) grande", "verde", "verde) grande"),
        ('casa "verde" grande', 'casa "verde" grande', 'casa "verde'),
    ],
)
def test_signs_come_in_pairs(text: str, there: str, missing: str) -> None:
    found = candidates(text)
    assert there in found
    assert missing not in found


def test_candidates_end_with_their_line_and_their_length() -> None:
    assert "Soria Lugo" not in candidates("Soria\nLugo")
    assert max(len(text.split()) for text in candidates("casa " * 30)) == 5


def test_a_seam_inside_a_word_is_no_place_to_begin() -> None:
    assert candidates("28029Madrid") == ["28029Madrid"]


def test_the_filter_is_learned() -> None:
    documents = [
        Document(f"d{i}", "Paciente tranquila: La Paz.", (Span(20, 26, "HOSPITAL"),))
        for i in range(FilterPlan().outside)
    ]
    notes = read_notes([document.text for document in documents])
    gold = [gold_places(note, document) for note, document in zip(notes, documents, strict=True)]
    generator = learn_generator(notes, gold, FilterPlan())
    assert generator.stop_words == {"Paciente", "tranquila", ":", "."}
    assert generator.longest == 2
    assert candidates("Tranquila. La Paz.", generator) == ["Tranquila", "La Paz", "Paz"]
    assert candidates("Tranquila: La Paz.", generator) == ["La Paz", "Paz"]  # nothing ends before a colon
    assert candidates("tranquila. La Paz.", generator) == ["La Paz", "Paz"]
    assert recall(generator, notes, gold) == (1.0, 0.5)
    assert Generator.parse(generator.dump()) == generator


def test_pairs_that_never_hold_an_entity_are_hopeless() -> None:
    documents = [Document(f"d{i}", "Dosis 5 mg. Vive en Soria.", (Span(20, 25, "TERRITORIO"),)) for i in range(4)]
    notes = read_notes([document.text for document in documents])
    gold = [gold_places(note, document) for note, document in zip(notes, documents, strict=True)]
    plan = FilterPlan(outside=99, hopeless=4)
    assert "5" in candidates("Dosis 5 mg", learn_generator(notes, gold, FilterPlan(outside=99, hopeless=0)))
    assert "5" not in candidates("Dosis 5 mg", learn_generator(notes, gold, plan))


def test_training_candidates_come_from_filters_that_did_not_see_the_note() -> None:
    documents = invented(10, 3)
    notes = read_notes([document.text for document in documents])
    gold = [gold_places(note, document) for note, document in zip(notes, documents, strict=True)]
    found = out_of_fold(notes, gold, range(len(notes)), FilterPlan())
    assert all(set(places) <= set(own) for places, own in zip(gold, found, strict=True))
    for copies in (found, out_of_fold([*notes, notes[0]], [*gold, gold[0]], [*range(len(notes)), 0], FilterPlan())):
        assert copies[0] == found[0] == copies[-1 if len(copies) > len(notes) else 0]


@pytest.mark.parametrize("content", [b"", b"[]", b'{"longest": 3}', b'{"longest": "x", "stop_words": 4}'])
def test_a_damaged_filter_is_refused(content: bytes) -> None:
    with pytest.raises(ModelError):
        Generator.parse(content)


@pytest.mark.parametrize(
    ("word", "looks"), [("Ana", "Xx"), ("A", "X"), ("HIV", "XX"), ("de", "xx"), ("123", "000"), ("@", "@")]
)
def test_kinds(word: str, looks: str) -> None:
    assert kind(word) == looks


@pytest.mark.corpus
def test_few_entities_of_new_notes_are_lost(meddocan: Path) -> None:
    train, dev = ([seen(d) for d in read_documents(meddocan / part / "brat")] for part in ("train", "dev"))
    notes = read_notes([document.text for document in train])
    gold = [gold_places(note, document) for note, document in zip(notes, train, strict=True)]
    generator = learn_generator(notes, gold, FilterPlan())
    fresh = read_notes([document.text for document in dev])
    found, noise = recall(generator, fresh, [gold_places(n, d) for n, d in zip(fresh, dev, strict=True)])
    assert found >= 0.985
    assert noise <= 0.91


# --- channels ------------------------------------------------------------------------------------------------------


def vocabulary_of(text: str) -> CandidateVocabulary:
    return build_vocabulary(text.split(), [text] * 3, ["NOUN"], ["FECHAS"])


def test_channels_keep_the_near_words_in_place() -> None:
    text = "uno dos tres cuatro cinco"
    vocabulary = vocabulary_of(text)
    ids = {word: vocabulary.word_id(word) for word in text.split()}
    encoded = encode(read_notes([text, text]), [text, text], [[(1, 3)], [(0, 1), (4, 5)]], vocabulary, 4)
    channels = encoded.channels()
    assert channels["left_words"].tolist() == [
        [0, 0, 0, ids["uno"]],
        [0, 0, 0, 0],
        [ids["uno"], ids["dos"], ids["tres"], ids["cuatro"]],
    ]
    assert channels["candidate_words"][0].tolist() == [ids["dos"], ids["tres"], 0, 0]
    assert channels["right_words"].tolist()[0] == [ids["cuatro"], ids["cinco"], 0, 0]
    assert channels["right_words"].tolist()[2] == [0, 0, 0, 0]


def test_of_a_long_candidate_both_ends_are_seen() -> None:
    text = "a" * 40 + " " + "b" * 40
    vocabulary = vocabulary_of(text)
    encoded = encode(read_notes([text]), [text], [[(0, 2)]], vocabulary, 4)
    (seen_ids,) = encoded.channels(characters=True)["candidate_characters"].tolist()
    half = CANDIDATE_CHARACTERS // 2
    assert seen_ids == [*vocabulary.character_ids("a" * half), *vocabulary.character_ids("b" * half)]


def test_unknown_words_are_known_by_another_writing_or_their_shape() -> None:
    vocabulary = vocabulary_of("Soria casa")
    assert vocabulary.word_id("SORIA") == vocabulary.word_id("soria") == vocabulary.word_id("Soria")
    assert vocabulary.word_id("Casa") == vocabulary.word_id("casa")
    assert vocabulary.word_id("Lugo") == vocabulary.word_id("Jaca") != vocabulary.word_id("lugo")
    assert vocabulary.word_id("12345") != vocabulary.word_id("1234")
    assert min(vocabulary.word_id(word) for word in ("Lugo", "1" * 50, "€", "中", NEW_LINE)) > 0
    assert CandidateVocabulary.parse(vocabulary.dump()) == vocabulary


# --- the final filter ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "text", "allowed"),
    [
        ("CORREO_ELECTRONICO", "ana.soto@mail.es", True),
        ("CORREO_ELECTRONICO", "ana.soto", False),
        ("CORREO_ELECTRONICO", "Correo: ana@mail.es", False),
        ("FECHAS", "3 de mayo", True),
        ("FECHAS", "martes", True),
        ("FECHAS", "12/04/2011", True),
        ("FECHAS", "3 días", False),
        ("FECHAS", "paciente", False),
        ("TERRITORIO", "28029", True),
        ("TERRITORIO", "Soria", True),
        ("TERRITORIO", "28029 Madrid", False),
        ("TERRITORIO", "2012", False),
        ("TERRITORIO", "7", False),
        ("PAIS", "España", True),
        ("PAIS", "7 años", False),
        ("EDAD_SUJETO_ASISTENCIA", "dos meses", True),
        ("EDAD_SUJETO_ASISTENCIA", "12/04/2011", False),
        ("NOMBRE_PERSONAL_SANITARIO", "Dra. Luz Soto", False),
        ("NOMBRE_PERSONAL_SANITARIO", "Luz Soto", True),
        ("NUMERO_TELEFONO", "91 555 12 34", True),
        ("NUMERO_TELEFONO", "12", False),
        ("ID_ASEGURAMIENTO", "28 12345678 40", True),
        ("ID_ASEGURAMIENTO", "ninguno", False),
        ("OTROS_SUJETO_ASISTENCIA", "lo que sea", True),
    ],
)
def test_the_table_of_constraints(label: str, text: str, allowed: bool) -> None:
    assert Constraints.shipped().allow(text, label) is allowed


def test_the_surest_of_those_that_overlap() -> None:
    long, short, other = Span(0, 9, "CALLE", 0.7), Span(3, 9, "CALLE", 0.9), Span(9, 12, "PAIS", 0.1)
    assert surest([long, short, other]) == (short, other)
    assert left_most_longest([long, short, other]) == (long, other)
    assert surest([Span(0, 3, "PAIS"), Span(0, 5, "PAIS")]) == (Span(0, 5, "PAIS"),)
    assert surest([]) == ()


def test_the_table_knows_only_labels() -> None:
    assert set(Constraints.shipped().table) <= LABELS


@pytest.mark.parametrize(
    "line", ["NADA\tmust\ta\tb", "FECHAS\tmay\ta\tb", "FECHAS\tmust\t(\tb", "FECHAS\tmust\ta", "FECHAS must a b"]
)
def test_a_wrong_line_is_named(line: str) -> None:
    with pytest.raises(ConfigError, match="line 2"):
        parse_constraints(f"# header\n{line}\n")
