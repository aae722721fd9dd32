"""`nadie train`."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from nadie.cli.language import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nadie.config import Preset
    from nadie.detector import Detector, Trainable
    from nadie.document import Document


def train(
    system: Annotated[str, typer.Argument(help="The system: recrf, bilstm_crf, e2ej, ...")],
    train: Annotated[
        list[Path] | None, typer.Option("--train", help="Annotated notes to train on; may be repeated.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The folder for the model.")] = None,
    dev: Annotated[
        Path | None,
        typer.Option(help="Annotated notes for selecting and scoring the model; not used for training."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same model.")] = 1,
    licence: Annotated[str, typer.Option(help="The licence of the training data, for the model's card.")] = "unknown",
    option: Annotated[
        list[str] | None, typer.Option("--set", help="An option of the system; may be repeated.", metavar="KEY=VALUE")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="`paper`: the system of its paper and nothing else; --set changes single values.")
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Print the values of the preset with their reasons, as TOML, and exit.")
    ] = False,
    settings: Annotated[
        bool, typer.Option("--settings", help="Print every setting: meaning, default and paper value, and exit.")
    ] = False,
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

    The system as its paper describes it:

        nadie train bilstm_crf --preset paper --show
        nadie train bilstm_crf --preset paper --train train/brat \\
            --dev dev/brat --out models/bilstm_crf-paper

    A second training that starts from the weights of a first one:

        nadie train e2ej --train train/brat --out first --keep-work
        nadie train e2ej --train train/brat --train ours/ --out second \\
            --set start=first.work --set epochs=4
    """
    from nadie.config import Preset
    from nadie.detector import DETECTORS
    from nadie.errors import ConfigError

    trainable: type[Trainable] = DETECTORS.get(system)
    if not hasattr(trainable, "train"):
        raise ConfigError(f"the system {system[:60]!r} cannot be trained")
    if settings:
        _print_settings(trainable)
        return
    chosen = Preset.beside(trainable, preset or "paper") if preset or show else None
    if chosen and show:
        _print_preset(chosen)
        return
    if not train or not out:
        raise ConfigError("a training needs --train and --out")
    given = _parsed(option or [])
    data = _Data(train, dev, seed, licence, chosen)
    _train(trainable, {**(chosen.options if chosen else {}), **given}, data, out, keep_work=keep_work)


_PATHS = ("texts", "vectors", "start")


class _Data(NamedTuple):
    train: Sequence[Path]
    dev: Path | None
    seed: int
    licence: str
    preset: Preset | None


def _train(trainable: type[Trainable], options: dict[str, Any], data: _Data, out: Path, *, keep_work: bool) -> None:
    import shutil

    from nadie.cli.console import progress_bar, stderr
    from nadie.detector import TrainingRun
    from nadie.errors import ConfigError
    from nadie.files.annotated.reading import read_documents
    from nadie.tokens.view import seen

    train, dev, seed, licence, preset = data
    if out.exists():
        raise ConfigError(f"{out} exists: choose another folder for the model, or remove it")
    notes = [seen(document) for path in train for document in read_documents(path)]
    held_out = [seen(document) for document in read_documents(dev)] if dev else []
    work = out.with_name(f"{out.name}.work")
    with progress_bar() as bar:
        model = trainable.train(TrainingRun(notes, held_out, seed, work, bar), options)
    scores, cost = _scores(model, held_out) if held_out else {}, _cost()
    card = {
        "trained_on": f"{len(notes)} notes",
        "trained_at": datetime.now(UTC).date().isoformat(),
        "seed": seed,
        "data_licence": licence,
        "scores": {"dev": scores} if scores else {},
        "training_cost": cost,
    }
    if preset:
        changed = {
            name: Path(value).name if name in _PATHS else value  # where a file was is of no use to others
            for name, value in options.items()
            if value != preset.options.get(name)
        }
        card["purpose"] = f"as published in {preset.paper}"
        card |= {"preset": preset.name, "paper": preset.paper, "changed": changed}
    model.save(out, card)
    if not keep_work:
        shutil.rmtree(work, ignore_errors=True)
    for name, value in scores.items():
        stderr().print(f"{name}: {100 * value:.2f}")
    stderr().print(say(f"{cost['processor_minutes']} minutes of processor time, {cost['memory_gb']} GB of memory"))
    stderr().print(say(f"the model is in {out}"))


def _cost() -> dict[str, float]:
    """Processor time and the most memory of this process; of a resumed training, those since it was resumed."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    minutes, kilobytes = (used.ru_utime + used.ru_stime) / 60, used.ru_maxrss
    return {"processor_minutes": round(minutes, 1), "memory_gb": round(kilobytes / 2**20, 2)}


def _print_settings(trainable: type[Trainable]) -> None:
    """A table with a line for each setting; without a preset, the column of the paper's values is empty."""
    from nadie.config import Preset, settings_of
    from nadie.errors import ConfigError

    try:
        choices = Preset.beside(trainable).choices
    except ConfigError:
        choices = {}
    config_type = getattr(trainable, "config_type", None)
    rows = settings_of(config_type()) if config_type else []
    table = [("setting", "default", "paper", "meaning")]
    for row in rows:
        paper = _written(choices[row.name].value) if row.name in choices else ""
        table.append((row.name, _written(row.default), paper, row.meaning))
    widths = [max(len(row[column]) for row in table) + 2 for column in range(3)]
    for cells in table:
        line = "".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=False))
        sys.stdout.write(f"{line}{cells[3]}".rstrip() + "\n")


def _print_preset(preset: Preset) -> None:
    """The preset as TOML: the file itself without its comments."""
    besides = (f"    {json.dumps(each, ensure_ascii=False)}," for each in preset.besides)
    lines = [f"paper = {json.dumps(preset.paper, ensure_ascii=False)}", "besides = [", *besides, "]", "", "[settings]"]
    for name, choice in preset.choices.items():
        source, why = ("paper", choice.paper) if choice.paper else ("ours", choice.ours)
        quoted = json.dumps(why, ensure_ascii=False)
        lines.append(f"{name} = {{ value = {json.dumps(choice.value)}, {source} = {quoted} }}")
    sys.stdout.write("\n".join(lines) + "\n")


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


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
