"""CPU seconds and memory for a single line of many megabytes: the figures of docs/en/understand/identities.md.

    python benchmarks/long_line.py [--megabytes 1 2 10] [--model fast] [--policy research]

Each size runs in its own process: first the model, then the engine on the spans of the model.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import OLD_SALT, Secret
from nadie.document import Document
from nadie.run.documents import load

_NOTE = "Paciente: Ana Pérez Soto, NHC 76{n:05d}, natural de Lugo. Ingresa el {d}/03/2019 por tos y fiebre de 3 días. "


def line_of(characters: int) -> str:
    """Different notes, concatenated without line breaks."""
    parts, length, number = [], 0, 0
    while length < characters:
        parts.append(_NOTE.format(n=number, d=1 + number % 28))
        length += len(parts[-1])
        number += 1
    return "".join(parts)[:characters]


def measure(megabytes: float, model: str, policy: str) -> None:
    document = Document("line", line_of(int(megabytes * 1_000_000)))
    pipeline = load(model)
    start = time.process_time()
    found = pipeline.annotate(document)
    middle = time.process_time()
    peak_of_model = _peak()
    Engine(read_policy(policy), Secret(b"a passphrase for measuring engines", salt=OLD_SALT).key()).run(found)
    end = time.process_time()
    print(
        f"{megabytes:g} MB, {len(found.spans)} spans: {model} {middle - start:.1f} s, {peak_of_model:.0f} MiB, "
        f"with the engine {end - start:.1f} s, {_peak():.0f} MiB",
        flush=True,
    )


def _peak() -> float:
    """The peak memory of the process, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, nargs="+", default=[1, 2, 10])
    parser.add_argument("--model", default="fast")
    parser.add_argument("--policy", default="research")
    options = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    for size in options.megabytes:
        process = context.Process(target=measure, args=(size, options.model, options.policy))
        process.start()
        process.join()


if __name__ == "__main__":
    main()
