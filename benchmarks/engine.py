"""The anonymization engine on a thousand notes: the figures of docs/en/understand/identities.md.

    python benchmarks/engine.py CORPUS [--notes 1000] [--model MODEL] [--policy research]

Annotated notes (CORPUS/train, CORPUS/dev) are used with their gold spans; the remaining notes, from the background set,
are annotated by MODEL, and left out without one. With MODEL, the output is annotated again to count how many of the
invented values are found: they should look like real ones.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path

from stdnum import iban, luhn
from stdnum.es import ccc, dni, nie

from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import OLD_SALT, Secret
from nadie.anonymize.verification import survivors as remaining
from nadie.document import Document
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.records.vault.reading import Vault
from nadie.records.vault.writing import VaultWriter
from nadie.resolve.completing import complete
from nadie.resolve.overlaps import disjoint
from nadie.resolve.values import CLOSED, identifying_values, values_of
from nadie.run.documents import load
from nadie.spanish import tables
from nadie.spanish.dates.reading import read
from nadie.spanish.folding import key_of
from nadie.spanish.squashing import squash
from nadie.surrogates.check_digits import form_of

SECRET = Secret(b"una clave cualquiera para medir", salt=OLD_SALT)


def notes(corpus: Path, count: int, model: str | None) -> list[Document]:
    gold = [
        document.with_spans(disjoint(document.spans))
        for part in ("train", "dev")
        for document in read_documents(corpus / part / "brat", "brat")
    ]
    if model is None or len(gold) >= count:
        return gold[:count]
    files = sorted((corpus / "background").glob("*.txt"))
    chosen = random.Random(1).sample(files, min(count - len(gold), len(files)))
    fresh = [Document(f"background/{file.stem}", file.read_bytes().decode("utf-8")) for file in sorted(chosen)]
    return gold + list(load(model).annotate_all(fresh))


def survivors(done: Iterable[Anonymized]) -> tuple[int, Counter[str]]:
    """The values left readable that were not kept on purpose, and the number of values kept."""
    found, kept = 0, Counter[str]()
    for item in done:
        values = identifying_values(item.document)
        stays = {values[r.span] for r in item.replaced if r.kept and r.span in values}
        kept.update(r.span.label for r in item.replaced if r.kept)
        found += len(remaining(item.text, set(values.values()) - stays, ()))
    return found, kept


def repeated(done: list[Anonymized]) -> tuple[int, int]:
    """Surrogates that equal an original of some document of the run; provinces and regions separately."""
    originals = {value for item in done for value in values_of(identifying_values(item.document))}
    same = [
        key_of(item.text[r.start : r.end])
        for item in done
        for r in item.replaced
        if r.operator == "surrogate" and not r.kept and r.span.label not in CLOSED
        if squash(item.text[r.start : r.end]) in originals
    ]
    coarse = sum(value in tables.province_codes() or value in tables.regions() for value in same)
    return len(same) - coarse, coarse


def changed_intervals(done: Iterable[Anonymized]) -> tuple[int, int]:
    """The number of intervals between full dates of a note, and the number of those that differ in the output."""
    intervals = changed = 0
    for item in done:
        before: list[date] = []
        after: list[date] = []
        for r in item.replaced:
            if r.span.label == Label.FECHAS and not r.refused:
                old, new = read(item.document.text_of(r.span)), read(item.text[r.start : r.end])
                before += old.days() if old else []
                after += new.days() if new else []
        if len(before) != len(after):
            changed += 1
        for first, second, third, fourth in zip(before, before[1:], after, after[1:], strict=False):
            intervals += 1
            changed += second - first != fourth - third
    return intervals, changed


def invalid(done: Iterable[Anonymized]) -> tuple[int, int]:
    """The number of invented numbers with check digits, and the number of invalid ones."""
    checked = wrong = 0
    for item in done:
        for r in item.replaced:
            new = item.text[r.start : r.end]
            form = form_of(new, r.span.label) if r.operator == "surrogate" and r.span.label.startswith("ID") else None
            if form is not None:
                checked += 1
                wrong += not _is_valid(form.name, squash(new).upper())
    return checked, wrong


def _is_valid(name: str, number: str) -> bool:
    if name == "social security":
        return int(number[:10]) % 97 == int(number[10:])
    checks = {"dni": dni, "nie": nie, "iban": iban, "account": ccc, "card": luhn, "imei": luhn}
    return name not in checks or bool(checks[name].is_valid(number))


def restored(done: list[Anonymized]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vault"
        with VaultWriter(path, SECRET) as writer:
            for start in range(0, len(done), 32):
                writer.add(done[start : start + 32])
        with Vault(path, SECRET) as vault:
            return sum(vault.restore(Document(d.document.id, d.text)).text == d.document.text for d in done)


def found_again(done: list[Anonymized], model: str) -> tuple[int, int, Counter[str]]:
    """The number of invented values, the number that the model covers with a span, and the labels of the others."""
    pipeline = load(model)
    total = found = 0
    missed: Counter[str] = Counter()
    documents = (Document(item.document.id, item.text) for item in done)
    for item, seen in zip(done, pipeline.annotate_all(documents), strict=True):
        covered = {place for span in seen.spans for place in range(span.start, span.end)}
        for r in item.replaced:
            if r.operator in ("surrogate", "shift") and not r.kept and r.end > r.start:
                total += 1
                is_found = all(p in covered for p in range(r.start, r.end) if item.text[p].isalnum())
                found += is_found
                missed.update([] if is_found else [r.span.label])
    return total, found, missed


def _outputs(work: tuple[list[Document], str]) -> list[str]:
    documents, policy = work
    engine = Engine(read_policy(policy), SECRET.key())
    return [engine.run(complete(document, engine.kept)).text for document in documents]


def same_on_two(documents: list[Document], done: list[Anonymized], policy: str) -> bool:
    """Whether two processes, each with every other note in reverse order, give the same outputs."""
    halves = [(documents[n::2][::-1], policy) for n in (0, 1)]
    with ProcessPoolExecutor(2) as pool:
        first, second = (half[::-1] for half in pool.map(_outputs, halves))
    return first == [d.text for d in done[0::2]] and second == [d.text for d in done[1::2]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--model")
    parser.add_argument("--policy", default="research")
    options = parser.parse_args()
    documents = notes(options.corpus, options.notes, options.model)
    engine = Engine(read_policy(options.policy), SECRET.key())
    engine.run(complete(documents[0], engine.kept))
    started = time.process_time()
    done = [engine.run(complete(document, engine.kept)) for document in documents]
    spent = time.process_time() - started
    spans = sum(len(item.replaced) for item in done)
    print(f"notes {len(documents)}, spans {spans}, policy {options.policy}")
    print(f"time a note {spent / len(documents) * 1000:.2f} ms of CPU")
    count, kept = survivors(done)
    print(f"values that survive {count} (kept on purpose: {dict(kept)})")
    print("surrogates that equal an original of the run {}, and {} names of provinces".format(*repeated(done)))
    refused = Counter(r.span.label for item in done for r in item.replaced if r.refused)
    print(f"refused, so the label stands there {sum(refused.values())}: {dict(refused)}")
    print("intervals {}, changed {}".format(*changed_intervals(done)))
    print("numbers with check digits {}, invalid {}".format(*invalid(done)))
    print(f"restored byte for byte {restored(done)} of {len(done)}")
    print(f"same output on two processes, in another order: {same_on_two(documents, done, options.policy)}")
    whole = hashlib.sha256("\0".join(item.text for item in done).encode()).hexdigest()
    print(f"SHA-256 of all outputs {whole[:16]}")
    if options.model:
        total, found, missed = found_again(done, options.model)
        print(f"invented values {total}, found by {options.model} {found} = {found / total:.2%}; missed {dict(missed)}")


if __name__ == "__main__":
    main()
