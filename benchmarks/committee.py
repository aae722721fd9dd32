"""Methods of combining detectors, compared by cross-validation, and the contribution of each part of the committee.

    python benchmarks/committee.py DEV MODEL... [--weights 1.5,1,1] [--bias 0.3] [--folds 5]

DEV are annotated notes that no MODEL was trained on. Every method has a few parameters; they are fitted on all folds
except one, on which they are scored. For a model without token probabilities, the scores of its spans are used. All
methods end with the same steps: document-wide consistency and eponyms. Then each member and each step is left out of
the committee with the given weights.
"""

from __future__ import annotations

import argparse
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
from ways_to_combine import Arbiter, Case, LabelTrust, Mean, Pool, SpanVote, Way, finished

from nadie.detector import DETECTORS, Detector, Probabilistic
from nadie.detectors.committee.pool import common_tags
from nadie.document import Document, Span
from nadie.files.annotated.reading import read_documents
from nadie.storage import find_model, read_model
from nadie.tokens.codec import encode
from nadie.tokens.probabilities import TokenProbabilities
from nadie.tokens.tokenizer import tokenize
from nadie.tokens.view import seen

Counts = npt.NDArray[np.int64]
Answers = list[tuple[Span, ...]]
_BATCH = 16
_RESAMPLES = 2000
FLOORS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dev", type=Path)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--weights", default="", help="of the committee, with commas; else all alike")
    parser.add_argument("--bias", type=float, default=0.0)
    parser.add_argument("--folds", type=int, default=5)
    given = parser.parse_args()
    weights = tuple(float(w) for w in given.weights.split(",")) if given.weights else (1.0,) * len(given.models)
    gold = [seen(document) for document in read_documents(given.dev)]
    cases = as_cases(gold, {name: load(name) for name in given.models})
    committee = Pool(weights, given.bias)
    reference = counted(gold, answers(committee, cases))
    heading("alone", "the committee as given")
    for number, name in enumerate(given.models):
        only = tuple(float(i == number) for i in range(len(weights)))
        tell(Path(name).name, counted(gold, answers(Pool(only, 0.0), cases)), reference)
    tell("together", reference, reference)
    heading("way to combine, cross-validated", "the committee as given")
    for title, ways in all_ways(len(weights)).items():
        tell(title, cross_validated(ways, cases, given.folds), reference)
    heading("left out", "the committee as given")
    for title, answer in ablations(committee, given.models, cases).items():
        tell(title, counted(gold, answer), reference)


def load(name: str) -> Detector:
    folder = read_model(find_model(name))
    detector: Detector = DETECTORS.get(folder.system).load(folder)
    return detector


def as_cases(gold: Sequence[Document], detectors: Mapping[str, Detector]) -> list[Case]:
    """Each note with the token probabilities of every member, for the union of the tags."""
    plain = [Document(document.id, document.text) for document in gold]
    batches = [plain[i : i + _BATCH] for i in range(0, len(plain), _BATCH)]
    probabilities = [[each for batch in batches for each in token_probabilities(d, batch)] for d in detectors.values()]
    labels = {span.label for document in gold for span in document.spans}
    tags = common_tags(
        [*(each.tags for member in probabilities for each in member), [f"B-{label}" for label in labels]]
    )
    column = {tag: i for i, tag in enumerate(tags)}
    cases = []
    for number, document in enumerate(gold):
        tokens = tokenize(document.text)
        stacked = np.zeros((len(probabilities), len(tokens), len(tags)))
        for member, of_member in enumerate(probabilities):
            stacked[member][:, [column[tag] for tag in of_member[number].tags]] = of_member[number].values
        right = [column.get(tag, 0) for tag in encode(tokens, document.spans)]
        cases.append(Case(plain[number], tokens, tags, stacked, np.array(right, dtype=np.intp), document.spans))
    return cases


def token_probabilities(detector: Detector, documents: Sequence[Document]) -> list[TokenProbabilities]:
    if isinstance(detector, Probabilistic):
        return detector.token_probabilities(documents)
    return [from_spans(d, spans) for d, spans in zip(documents, detector.detect(documents), strict=True)]


def from_spans(document: Document, spans: Sequence[Span]) -> TokenProbabilities:
    """Probabilities from spans: each token has the score of its span, and the rest is for O."""
    tokens = tokenize(document.text)
    tags = common_tags([[f"B-{span.label}" for span in spans]])
    found = np.zeros((len(tokens), len(tags)), dtype=np.float32)
    found[:, 0] = 1.0
    for span in spans:
        for i, tag in enumerate(encode(tokens, [span])):
            if tag != "O":
                found[i] = 0.0
                found[i, tags.index(tag)], found[i, 0] = span.score, 1.0 - span.score
    return TokenProbabilities(tokens, tags, found)


def all_ways(members: int) -> dict[str, list[Way]]:
    """Each method with every parameter value that is tried."""
    mixes = sorted({tuple(w / max(mix) for w in mix) for mix in product((1.0, 1.5, 2.0), repeat=members)})
    biases = (-0.3, 0.0, 0.3, 0.6)
    even = (1.0,) * members
    return {
        "vote of spans": [SpanVote(mix, share) for mix in mixes for share in (0.3, 0.4, 0.5, 0.6)],
        "mean of probabilities, all alike": [Mean(even, 0.0)],
        "mean of probabilities, weights and bias fitted": [Mean(mix, bias) for mix in mixes for bias in biases],
        "product of probabilities, all alike": [Pool(even, 0.0)],
        "product of probabilities, bias fitted": [Pool(even, bias) for bias in biases],
        "product of probabilities, weights and bias fitted": [Pool(mix, bias) for mix in mixes for bias in biases],
        "product of probabilities, floor and bias fitted": [Pool(even, bias, f) for f in FLOORS for bias in biases],
        "mean, trust by label": [LabelTrust(power, bias) for power in (1.0, 4.0, 8.0) for bias in biases],
        "arbiter: a CRF over what the members say": [Arbiter(c2) for c2 in (0.1,)],
    }


def cross_validated(ways: Sequence[Way], cases: Sequence[Case], folds: int) -> Counts:
    """(notes, 3): each note scored with the parameters fitted on the other folds."""
    gold = [Document(case.document.id, case.document.text, case.gold) for case in cases]
    fixed = {i: counted(gold, answers(way, cases)) for i, way in enumerate(ways) if not way.learns}
    total: Counts = np.zeros((len(cases), 3), dtype=np.int64)
    for fold in range(folds):
        held = [i for i in range(len(cases)) if i % folds == fold]
        rest = [i for i in range(len(cases)) if i % folds != fold]
        if fixed:
            chosen = max(fixed, key=lambda i: float(f1(fixed[i][rest].sum(0))))
            total[held] = fixed[chosen][held]
            continue
        fitted = [way.fitted([cases[i] for i in rest]) for way in ways]
        scores = [f1(counted([gold[i] for i in rest], answers(way, [cases[i] for i in rest])).sum(0)) for way in fitted]
        chosen_way = fitted[int(np.argmax(scores))]
        total[held] = counted([gold[i] for i in held], answers(chosen_way, [cases[i] for i in held]))
    return total


def ablations(committee: Pool, models: Sequence[str], cases: Sequence[Case]) -> dict[str, Answers]:
    found = {}
    for number, name in enumerate(models):
        rest = tuple(0.0 if i == number else weight for i, weight in enumerate(committee.weights))
        if any(rest):
            found[f"without {Path(name).name}"] = answers(Pool(rest, committee.bias), cases)
    found["without bias"] = answers(Pool(committee.weights, 0.0), cases)
    found["without weights"] = answers(Pool((1.0,) * len(models), committee.bias), cases)
    raw = committee.spans(cases)
    found["without agreement"] = [finished(c, s, agreeing=False) for c, s in zip(cases, raw, strict=True)]
    found["without eponyms"] = [finished(c, s, protecting=False) for c, s in zip(cases, raw, strict=True)]
    found["without both"] = [finished(c, s, agreeing=False, protecting=False) for c, s in zip(cases, raw, strict=True)]
    return found


def answers(way: Way, cases: Sequence[Case]) -> Answers:
    return [finished(case, spans) for case, spans in zip(cases, way.spans(cases), strict=True)]


def counted(gold: Sequence[Document], found: Sequence[Sequence[Span]]) -> Counts:
    """(notes, 3): correct, wrong and missed spans, as in subtask 1."""
    rows = []
    for document, spans in zip(gold, found, strict=True):
        expected, given = set(document.spans), set(spans)
        rows.append((len(expected & given), len(given - expected), len(expected - given)))
    return np.array(rows, dtype=np.int64)


def f1(counts: Counts) -> npt.NDArray[np.float64]:
    """The score from the numbers of correct, wrong and missed spans in the last dimension."""
    right, wrong, missed = np.moveaxis(counts, -1, 0)
    return np.asarray(200 * right / np.maximum(1, 2 * right + wrong + missed))


def heading(what: str, than: str) -> None:
    print(f"\n{what:<50}{'P':>8}{'R':>8}{'F1':>8}   F1 against {than}, 95 %")


def tell(title: str, counts: Counts, reference: Counts) -> None:
    right, wrong, missed = counts.sum(0).tolist()
    drawn = np.random.default_rng(0).multinomial(len(counts), np.full(len(counts), 1 / len(counts)), size=_RESAMPLES)
    moved = f1(drawn @ counts) - f1(drawn @ reference)
    low, high = np.percentile(moved, [2.5, 97.5])
    change = f1(counts.sum(0)) - f1(reference.sum(0))
    precision, recall = 100 * right / max(1, right + wrong), 100 * right / max(1, right + missed)
    print(
        f"{title:<50}{precision:>8.2f}{recall:>8.2f}{f1(counts.sum(0)):>8.2f}   {change:+.2f} [{low:+.2f}, {high:+.2f}]"
    )


if __name__ == "__main__":
    main()
