"""Fingerprint what the features of models do, and stamp the models of the repository with the fingerprints.

    python scripts/stamp_fingerprints.py

A model that is given other features than those it was trained with gets worse, without any error. So a model folder has
the fingerprints of the parts that its features depend on, and `nadie.storage` compares them with those of this version,
in `src/nadie/fingerprint.json`, when it loads the folder. A fingerprint is a hash of the output of a part: on the lines
of `feature_sample.jsonl` (every label, every country, odd characters) and, for word lists, on every word in them. Code
that moves or is rewritten keeps it. A test computes the fingerprints again. Run this only after a new training, or
after `benchmarks/same_spans.py` has shown that the models' spans are unchanged.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from nadie.detectors.convnet.forms import ngrams_of, shape_of
from nadie.detectors.patterns import Patterns
from nadie.document import Document
from nadie.labels import Label
from nadie.neural.encoding import encode
from nadie.papers.recrf.context_features import context_features, parts_of_speech
from nadie.papers.recrf.model import marks
from nadie.papers.recrf.paper_features import GROUPS, PaperFeatures
from nadie.papers.recrf.rules import LearnedRule, RuleSet
from nadie.papers.recrf.sequence import TokenSequence
from nadie.papers.recrf.word_features import window_features
from nadie.spanish.folding import fold
from nadie.spanish.lexicon import Lexicon
from nadie.storage import add_files, named_models
from nadie.tokens.tagger import Tagger
from nadie.tokens.tokenizer import tokenize
from nadie.tokens.view import view_of

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "nadie"
SAMPLE = Path(__file__).with_name("feature_sample.jsonl")
_RULES = RuleSet(
    [
        LearnedRule(Label.NOMBRE_SUJETO_ASISTENCIA, r"(?:Paciente|Nombre):\s*", r"\pL+(?: \pL+)*", ""),
        LearnedRule(Label.FECHAS, "", r"\d{1,2}/\d{1,2}/\d{2,4}", r"\b", 0.8),
    ]
)


def compute() -> dict[str, str]:
    """The fingerprint of each part, as its code and lists are now."""
    lines = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    views = [view_of(line) for line in lines]
    texts = [view.text for view in views]
    maps = ((view.text, view.starts and list(view.starts), view.ends and list(view.ends)) for view in views)
    return {
        "words": _hash([*maps, *_words(texts), *_lexicon(Lexicon.shared())]),
        "tagger": _hash(Tagger.shared().tag_all([[token.text for token in tokenize(text)] for text in texts])),
        "patterns": _hash(_patterns(texts)),
        "recrf": _hash(_recrf(texts)),
        "recrf_paper": _hash(_recrf_paper(texts)),
    }


def _words(texts: Iterable[str]) -> Iterator[object]:
    """Tokens, spacing, sentences, folded words and the numbers of each written form."""
    for text in texts:
        tokens, encoded = tokenize(text), encode(text)
        folded = [fold(token.text) for token in tokens]
        ngrams, counts = ngrams_of(folded)
        yield tokens, folded, encoded.spacing.tolist(), encoded.breaks
        yield [shape_of(token.text) for token in tokens], ngrams.tolist(), counts.tolist()


def _lexicon(lexicon: Lexicon) -> Iterator[object]:
    """What the lexicon says of each of its words, in any order of the files."""
    yield sorted((word, sorted(kinds)) for word, kinds in lexicon._kinds.items())
    phrases = [(first, *pair) for first, pairs in lexicon._phrases.items() for pair in pairs.items()]
    yield sorted((first, second, sorted(rest)) for first, second, rest in phrases)
    yield sorted((word, (cluster, lexicon.rarity(word))) for word, cluster in lexicon._clusters.items())
    yield sorted(lexicon._lemmas.items())


def _patterns(texts: Iterable[str]) -> Iterator[object]:
    for spans in Patterns(threshold=0).detect([Document("", text) for text in texts]):
        yield [(span.start, span.end, str(span.label), round(span.score, 6), span.source) for span in spans]


def _recrf(texts: Iterable[str]) -> Iterator[object]:
    lexicon, tagger = Lexicon.shared(), Tagger.shared()
    for text in texts:
        note = TokenSequence.of(text)
        (parts,) = parts_of_speech([note], tagger)
        yield [window_features(word, lexicon) for word in note.words]
        yield context_features(note, lexicon, marks(Document("", text), _RULES, [Patterns()]), parts)


def _recrf_paper(texts: Iterable[str]) -> Iterator[object]:
    features, tagger = PaperFeatures(",".join(GROUPS), 2, Lexicon.shared()), Tagger.shared()
    for text in texts:
        found = marks(Document("", text), _RULES, [])
        for line in TokenSequence.of(text).split():
            (parts,) = parts_of_speech([line], tagger)
            yield [features.window(word) for word in line.words], features.context(line, found, parts)


def _hash(values: Iterable[object]) -> str:
    digest = hashlib.sha256()
    for value in values:
        digest.update(repr(value).encode("utf-8", "backslashreplace") + b"\0")
    return digest.hexdigest()[:16]


def main() -> None:
    now = compute()
    (PACKAGE / "fingerprint.json").write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    for name, path in named_models().items():
        config = json.loads((path / "config.json").read_text(encoding="utf-8"))
        old = config.get("features_fingerprint", {})
        config["features_fingerprint"] = {part: now[part] for part in old}
        if config["features_fingerprint"] != old:
            content = json.dumps(config, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
            add_files(path, {"config.json": content.encode()})
            print("stamped", name)


if __name__ == "__main__":
    main()
