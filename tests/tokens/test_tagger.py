"""The part-of-speech tagger: tags of plain sentences, unusual input, and training."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nadie.crf.weights import Weights
from nadie.errors import FormatError
from nadie.tokens.tagger import Tagger, tag
from nadie.tokens.tagger.fitting import accuracy, fit
from nadie.tokens.tagger.treebank import read_treebank
from nadie.tokens.tokenizer import tokenize

SENTENCES = [
    (
        "El paciente fue trasladado al hospital de Burgos.",
        "DET NOUN AUX VERB:part ADP NOUN ADP PROPN PUNCT",
    ),
    ("La enfermera Carmen Ruiz llegó ayer.", "DET NOUN PROPN PROPN VERB ADV PUNCT"),
    ("Ha comido dos manzanas rojas y una pera.", "AUX VERB:part NUM NOUN ADJ CCONJ DET NOUN PUNCT"),
    ("Nosotros queremos verlo en Sevilla el 3 de mayo", "PRON VERB VERB ADP PROPN DET NUM ADP NOUN"),
]


@pytest.mark.parametrize(("text", "tags"), SENTENCES)
def test_plain_sentences(text: str, tags: str) -> None:
    assert tag([token.text for token in tokenize(text)]) == tags.split()


@pytest.mark.parametrize("change", [str.lower, str.upper])
def test_case_changes_little(change: Callable[[str], str]) -> None:
    wanted, given = [], []
    for text, tags in SENTENCES:
        wanted += tags.split()
        given += tag([change(token.text) for token in tokenize(text)])
    assert sum(a == b for a, b in zip(wanted, given, strict=True)) / len(wanted) > 0.85


def test_participles_are_apart_from_other_verbs() -> None:
    tags = tag("Fue operado en marzo y operó en abril .".split())
    assert (tags[1], tags[5]) == ("VERB:part", "VERB")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["."],
        ["a" * 100_000],
        ["\ud800"],
        ["\x00", "\u2028", "🙂", "中文"],
        ["9" * 5000],
        ["de"] * 5000,
        ["e\u0301\u0301"],
    ],
)
def test_any_words_have_a_tag_each(words: list[str]) -> None:
    tags = tag(words)
    assert len(tags) == len(words)
    assert set(tags) <= set(Tagger.shared().tags)


def test_a_sentence_is_tagged_the_same_in_any_company() -> None:
    tagger = Tagger.shared()
    sentences = [[token.text for token in tokenize(text)] for text, _ in SENTENCES] + [[], ["Alta", "."]]
    assert tagger.tag_all(sentences) == [tagger.tag(sentence) for sentence in sentences]


def test_threads_share_one_tagger() -> None:
    fresh = Tagger(Tagger.shared().weights)
    sentences = [[token.text for token in tokenize(text)] for text, _ in SENTENCES] * 25
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(fresh.tag, sentences))
    assert found == [tags.split() for _, tags in SENTENCES] * 25


CONLLU = """# text = Vamos al mar-océano 3,5
1\tVamos\tir\tVERB\t_\tVerbForm=Fin\t0\troot\t_\t_
2-3\tal\t_\t_\t_\t_\t_\t_\t_\t_
2\ta\ta\tADP\t_\t_\t4\tcase\t_\t_
3\tel\tel\tDET\t_\t_\t4\tdet\t_\t_
4\tmar-océano\tmar\tNOUN\t_\t_\t1\tobl\t_\t_
4.1\tnada\tnada\tNOUN\t_\t_\t_\t_\t_\t_
5\t3,5\t3,5\tNUM\t_\t_\t4\tnummod\t_\t_

1\tSido\tser\tAUX\t_\tTense=Past|VerbForm=Part\t0\troot\t_\t_
2\t%\t%\tSYM\t_\t_\t1\tdep\t_\t_
"""


def test_a_treebank_is_read_in_the_words_of_the_tokenizer(tmp_path: Path) -> None:
    path = tmp_path / "small.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    first, second = read_treebank(path)
    assert [word.form for word in first.words] == ["Vamos", "al", "mar-océano", "3,5"]
    assert first.tokens == ("Vamos", "al", "mar", "-", "océano", "3", ",", "5")
    assert first.tags == ("VERB", "ADP", "NOUN", "PUNCT", "NOUN", "NUM", "PUNCT", "NUM")
    assert [word.first for word in first.words] == [0, 1, 2, 5]
    assert second.tags == ("AUX:part", "SYM")


def test_a_damaged_treebank_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text(CONLLU + "\n1\tsolo\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"bad\.conllu, line 13"):
        list(read_treebank(path))


def test_what_is_learned_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "small.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    sentences = list(read_treebank(path))
    weights = fit(sentences, iterations=30)
    again = Weights.parse(weights.dump())
    assert accuracy(Tagger(weights), sentences) == accuracy(Tagger(again), sentences) == 1.0
    assert again.tags == weights.tags
