from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.build import NAME, TOWN, document
from nadie.document import Document
from nadie.errors import CorpusError, FormatError, NadieError
from nadie.evaluation.evaluate import evaluate, evaluate_pairs
from nadie.evaluation.pairing import Pair, pair
from nadie.evaluation.reading import read_gold, read_sentence_counts, read_system
from nadie.evaluation.scores import count_sentences

SECRET = "Ana Ruiz"
GOLD = (
    document(f"{SECRET} vive en Soria.", (SECRET, NAME), ("Soria", TOWN), name="a"),
    document("Luis Paz. Alta.", ("Luis Paz", NAME), name="b"),
)


def test_pairs_are_in_golds_order() -> None:
    pairing = pair(GOLD, reversed(GOLD))
    assert [each.id for each in pairing.pairs] == ["a", "b"]
    assert pairing.missing == ()


def test_a_document_left_out_is_all_missed() -> None:
    evaluation = evaluate(GOLD, GOLD[:1])
    assert evaluation.missing == ("b",)
    assert (evaluation.subtask1.tp, evaluation.subtask1.fn) == (2, 1)
    assert evaluation.safe == 1


@pytest.mark.parametrize(
    ("gold", "system", "words"),
    [
        ((), (), "no documents"),
        (GOLD[:1], GOLD, r"1 document \(b\) that gold lacks"),
        ((GOLD[0], GOLD[0]), (), "gold has document a twice"),
        (GOLD, (GOLD[0], GOLD[0]), "system has document a twice"),
        (GOLD, (Document("a", f"{SECRET} vive en Lugo."),), "differs from gold's at character 17"),
        (GOLD, (Document("a", GOLD[0].text + "\n"),), "differs from gold's at character 23"),
        (GOLD[:1], tuple(Document(f"x{i}", "") for i in range(9)), r"x4 and 4 more\)"),
    ],
)
def test_what_cannot_be_paired(gold: tuple[Document, ...], system: tuple[Document, ...], words: str) -> None:
    with pytest.raises(CorpusError, match=words) as caught:
        pair(gold, system)
    assert SECRET not in str(caught.value)


def test_a_pair_is_of_one_text() -> None:
    with pytest.raises(CorpusError):
        Pair(GOLD[0], GOLD[1])


def write_brat(folder: Path, documents: tuple[Document, ...], *, texts: bool = True) -> Path:
    for each in documents:
        stem = folder / each.id
        stem.parent.mkdir(parents=True, exist_ok=True)
        if texts:
            stem.with_suffix(".txt").write_bytes(each.text.encode())
        lines = [
            f"T{i}\t{span.label} {span.start} {span.end}\t{each.text_of(span)}\n"
            for i, span in enumerate(each.spans, 1)
        ]
        stem.with_suffix(".ann").write_bytes("".join(lines).encode())
    return folder


@pytest.mark.parametrize("texts", [True, False], ids=["with texts", "annotations alone"])
def test_brat_folders(tmp_path: Path, texts: bool) -> None:
    gold = read_gold(write_brat(tmp_path / "gold", GOLD))
    system = write_brat(tmp_path / "system", GOLD, texts=texts)
    pairing = pair(gold, read_system(system, gold))
    assert [each.found for each in pairing.pairs] == [each.spans for each in GOLD]


def test_folders_within_folders_pair_by_path(tmp_path: Path) -> None:
    nested = tuple(Document(f"{i}/same", each.text, each.spans) for i, each in enumerate(GOLD))
    gold = read_gold(write_brat(tmp_path / "gold", nested))
    pairing = pair(gold, read_system(write_brat(tmp_path / "system", nested, texts=False), gold))
    assert [each.id for each in pairing.pairs] == ["0/same", "1/same"]
    assert [each.found for each in pairing.pairs] == [each.spans for each in GOLD]


def test_one_file_each(tmp_path: Path) -> None:
    gold = read_gold(write_brat(tmp_path / "gold", GOLD) / "a.ann")
    pairing = pair(gold, read_system(write_brat(tmp_path / "system", GOLD, texts=False) / "a.ann", gold))
    assert pairing.pairs == (Pair(GOLD[0], GOLD[0]),)


def test_windows_newlines_keep_their_offsets(tmp_path: Path) -> None:
    text = "\ufeffNombre:\r\nAna\r\nRuiz"
    gold = (document(text, ("Ana\r\nRuiz", NAME), name="a"),)
    write_brat(tmp_path / "gold", gold)
    (tmp_path / "gold" / "a.ann").write_text(f"T1\t{NAME} 10 19\tAna  Ruiz\n")
    (tmp_path / "system").mkdir()
    (tmp_path / "system" / "a.ann").write_text(f"T1\t{NAME} 10 19\tAna  Ruiz\n")
    read = read_gold(tmp_path / "gold")
    pairing = pair(read, read_system(tmp_path / "system", read))
    assert pairing.pairs[0].found == gold[0].spans


def test_an_annotation_that_does_not_fit_golds_text(tmp_path: Path) -> None:
    gold = read_gold(write_brat(tmp_path / "gold", GOLD))
    (tmp_path / "system").mkdir()
    (tmp_path / "system" / "a.ann").write_text(f"T1\t{NAME} 1 9\t{SECRET}\n")
    with pytest.raises(FormatError, match=r"a\.ann, line 1") as caught:
        pair(gold, read_system(tmp_path / "system", gold))
    assert SECRET not in str(caught.value)


def test_annotations_of_a_document_gold_lacks(tmp_path: Path) -> None:
    gold = read_gold(write_brat(tmp_path / "gold", GOLD[:1]))
    with pytest.raises(CorpusError, match="that gold lacks"):
        pair(gold, read_system(write_brat(tmp_path / "system", GOLD, texts=False), gold))


def test_texts_alone_are_no_annotations(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Sin datos.")
    with pytest.raises(CorpusError, match="must be annotated"):
        read_gold(tmp_path)
    with pytest.raises(CorpusError, match="must be annotated"):
        pair(GOLD, read_system(tmp_path, GOLD))


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NadieError):
        read_gold(tmp_path / "nothing")


def test_sentences_are_counted_by_nadie_unless_given() -> None:
    assert count_sentences(GOLD) == {"a": 1, "b": 2}
    evaluation = evaluate(GOLD, ())
    assert (evaluation.sentences_from, evaluation.leak) == ("nadie", 1.0)
    given = evaluate(GOLD, (), sentences={"a": 10, "b": 20})
    assert (given.sentences_from, given.leak) == ("given", 0.1)


def test_a_document_without_a_sentence_count() -> None:
    with pytest.raises(CorpusError, match="the first is b"):
        evaluate_pairs(pair(GOLD, GOLD), sentences={"a": 3})


def test_sentence_counts_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "counts.json"
    file.write_text(json.dumps({"a": 4, "b": 5, "other": 6}))
    assert read_sentence_counts(file, GOLD) == {"a": 4, "b": 5}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[1]",
        "3",
        '{"a": -1, "b": 1}',
        '{"a": 1.5, "b": 1}',
        '{"a": true, "b": 1}',
        '{"a": "1"}',
        "[" * 100_000,
        "{",
    ],
)
def test_sentence_counts_that_are_none(tmp_path: Path, content: str) -> None:
    file = tmp_path / "counts.json"
    file.write_text(content)
    with pytest.raises(FormatError):
        read_sentence_counts(file, GOLD)


def test_sentence_counts_that_are_not_text_or_not_there(tmp_path: Path) -> None:
    file = tmp_path / "counts.json"
    file.write_bytes(b"\xff\xfe\x00")
    for path in (file, tmp_path / "nothing.json", tmp_path):
        with pytest.raises(FormatError):
            read_sentence_counts(path, GOLD)


def test_sentence_counts_that_lack_a_document(tmp_path: Path) -> None:
    file = tmp_path / "counts.json"
    file.write_text('{"a": 4}')
    with pytest.raises(CorpusError, match="no sentence count for 1 document"):
        read_sentence_counts(file, GOLD)
