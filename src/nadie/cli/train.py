"""`nadie train`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nadie.detector import Detector
    from nadie.document import Document


def train(
    system: Annotated[str, typer.Argument(help="The system: recrf, bilstm_crf, e2ej, ...")],
    train: Annotated[list[Path], typer.Option("--train", help="Annotated notes to train on; may be repeated.")],
    out: Annotated[Path, typer.Option(help="The folder for the model.")],
    dev: Annotated[
        Path | None,
        typer.Option(help="Annotated notes for selecting and scoring the model; not used for training."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same model.")] = 1,
    licence: Annotated[str, typer.Option(help="The licence of the training data, for the model's card.")] = "unknown",
    option: Annotated[
        list[str] | None, typer.Option("--set", help="An option of the system; may be repeated.", metavar="KEY=VALUE")
    ] = None,
    keep_work: Annotated[
        bool, typer.Option("--keep-work", help="Keep OUT.work, from which another training can start.")
    ] = False,
) -> None:
    """Train a system on annotated notes (brat, XML or JSONL) and write its model folder.

    To continue an interrupted training, run the same command again: its checkpoints are in `OUT.work`, which is removed
    at the end.

    Examples:

        nadie train recrf --train train/brat --dev dev/brat --out models/recrf
        nadie train recrf --train notes/ --out models/mine \\
            --set iterations=60 --set copies=2

    A second training that starts from the weights of a first one:

        nadie train e2ej --train train/brat --out first --keep-work
        nadie train e2ej --train train/brat --train ours/ --out second \\
            --set start=first.work --set epochs=4
    """
    import shutil

    from nadie.cli.console import progress_bar, stderr
    from nadie.detector import DETECTORS, Trainable, TrainingRun
    from nadie.errors import ConfigError
    from nadie.files.annotated.reading import read_documents
    from nadie.tokens.view import seen

    trainable: type[Trainable] = DETECTORS.get(system)
    if not hasattr(trainable, "train"):
        raise ConfigError(f"the system {system[:60]!r} cannot be trained")
    notes = [seen(document) for path in train for document in read_documents(path)]
    held_out = [seen(document) for document in read_documents(dev)] if dev else []
    work = out.with_name(f"{out.name}.work")
    with progress_bar() as bar:
        model = trainable.train(TrainingRun(notes, held_out, seed, work, bar), _parsed(option or []))
    scores = _scores(model, held_out) if held_out else {}
    card = {
        "trained_on": f"{len(notes)} notes",
        "trained_at": datetime.now(UTC).date().isoformat(),
        "seed": seed,
        "data_licence": licence,
        "scores": {"dev": scores} if scores else {},
    }
    model.save(out, card)
    if not keep_work:
        shutil.rmtree(work, ignore_errors=True)
    for name, value in scores.items():
        stderr().print(f"dev {name}: {100 * value:.2f}")
    stderr().print(f"the model is in {out}")


def _parsed(given: Sequence[str]) -> dict[str, Any]:
    """Parse `key=value` pairs; a value that is not valid JSON is taken as text."""
    from nadie.errors import ConfigError

    options: dict[str, Any] = {}
    for pair in given:
        key, separator, value = pair.partition("=")
        if not separator:
            raise ConfigError(f"--set takes key=value, not {pair[:40]!r}")
        try:
            options[key] = json.loads(value)
        except ValueError:
            options[key] = value
    return options


def _scores(model: Detector, dev: Sequence[Document]) -> dict[str, float]:
    from nadie.evaluation.evaluate import evaluate

    found = [document.with_spans(spans) for document, spans in zip(dev, model.detect(dev), strict=True)]
    result = evaluate(dev, found)
    return {
        "subtask1_f1": result.subtask1.f1,
        "strict_f1": result.strict.f1,
        "merged_f1": result.merged.f1,
        "character_recall": result.characters.recall,
    }
