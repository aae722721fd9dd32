"""The grammar: its syntax, its errors, and the expansion of every rule."""

from __future__ import annotations

import re
from random import Random

import pytest

from augment.notes import invented
from nadie.augment import Split
from nadie.augment.case import new_case
from nadie.augment.grammar import Rules, _alternative, _Expansion, rules
from nadie.augment.passage import AnnotatedText, marked
from nadie.augment.slots import SLOTS, CaseSlots
from nadie.augment.synthesis import clinical_sentences, sentence_ends, synthetic_notes
from nadie.errors import ConfigError


class Fixed:
    """A case that always takes the first choice, about a woman in Spain."""

    feminine = True
    tags = frozenset({"f", "ES", "adulto"})

    def choose(self, count: int) -> int:
        del count
        return 0

    def slot(self, name: str, argument: str) -> AnnotatedText | None:
        return {"pueblo": marked("Lugo", "TERRITORIO"), "n": AnnotatedText(argument)}.get(name)


def expanded(*lines: str, **more: str) -> AnnotatedText:
    found: Rules = {"top": tuple(_alternative(line) for line in lines)}
    found |= {name: (_alternative(line),) for name, line in more.items()}
    return _Expansion(found, Fixed()).rule("top")


@pytest.mark.parametrize(
    ("line", "text", "covered"),
    [
        ("vive en {pueblo}.", "vive en Lugo.", ["Lugo"]),
        ("[uno|dos] más[ y más|]", "uno más y más", []),
        ("remitid<o/a>", "remitida", []),
        ("fumador</a>", "fumadora", []),
        ("a < 3 y b/c > 2", "a < 3 y b/c > 2", []),
        (r"una\nlínea\t\[así\]", "una\nlínea\t[así]", []),
        ("con su {FAM=hija [Ana|Eva]}", "con su hija Ana", ["hija Ana"]),
        ("{FAM=hija de {pueblo}}", "hija de Lugo", ["hija de Lugo"]),
        ("{n:3-4} cm", "3-4 cm", []),
        ("{other} y ya", "en Lugo y ya", ["Lugo"]),
        ("{Other} y ya", "En Lugo y ya", ["Lugo"]),
        ("@f,m+LA para ella", "para ella", []),
    ],
)
def test_signs(line: str, text: str, covered: list[str]) -> None:
    passage = expanded(line, other="en {pueblo}")
    assert passage.text == text
    assert [passage.text[s.start : s.end] for s in passage.spans] == covered


def test_tags_choose_the_alternative() -> None:
    assert expanded("@m no", "@LA tampoco", "@f+LA ni este", "@f+ES este").text == "este"
    assert expanded("@m no").text == ""


def test_nothing_is_said_twice_while_there_is_something_else() -> None:
    found: Rules = {"top": tuple(_alternative(word) for word in "uno dos tres cuatro".split())}
    expansion = _Expansion(found, Fixed())
    assert [expansion.rule("top").text for _ in range(5)] == ["uno", "dos", "tres", "cuatro", "uno"]


@pytest.mark.parametrize("line", ["[uno|dos", "{FAM", "{x y}", "{FAM=}}", "uno]}"])
def test_broken_templates_are_refused(line: str) -> None:
    with pytest.raises((ConfigError, KeyError)):
        expanded(line)


def test_an_unknown_slot_is_refused() -> None:
    with pytest.raises(ConfigError, match="nada"):
        expanded("{nada}")


@pytest.mark.parametrize("split", list(Split))
def test_every_rule_can_be_told(split: Split) -> None:
    found = rules(split)
    for name in found:
        for i in range(12):
            case = new_case(Random(f"{name}{i}"), split, ("Una frase clínica de relleno.",))
            passage = _Expansion(found, CaseSlots(case)).rule(name)
            assert not re.search(r"\{\w|<o/a>|</a>", passage.text), (name, passage.text)
            for span in passage.spans:
                covered = passage.text[span.start : span.end]
                assert covered == covered.strip(), (name, covered)


@pytest.mark.parametrize("split", list(Split))
def test_every_slot_is_filled(split: Split) -> None:
    for name, filler in SLOTS.items():
        argument = {"n": "1-9", "edad_pasada": "1-9", "inventado": "brand"}.get(name, "")
        for i in range(30):
            passage = filler(new_case(Random(i), split), argument)
            assert passage.text or name == "relleno"


def test_notes_of_every_style_need_no_source() -> None:
    notes = list(synthetic_notes(60, 1))
    assert len({note.id for note in notes}) == 60
    assert sum(len(note.spans) for note in notes) > 300
    assert [n.text for n in notes] == [n.text for n in synthetic_notes(60, 1)]


def test_fillers_hold_nothing_to_protect() -> None:
    document = invented()
    protected = {document.text_of(span) for span in document.spans if len(span) > 3}
    sentences = clinical_sentences(document)
    assert any("puñopercusión" in sentence for sentence in sentences)
    assert not any(word in sentence for word in protected for sentence in sentences)


def test_sentences_end_outside_of_spans() -> None:
    document = invented()
    ends = sentence_ends(document)
    assert ends
    assert all(document.text[end - 1] == "." for end in ends)
