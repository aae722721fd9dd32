"""`nadie anonymize`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nadie.cli.finding_options import AllowOption, DenyOption, KnownOption, ModeOption, ThresholdsOption
from nadie.finding import Finding, Mode

if TYPE_CHECKING:
    from nadie.document import Document
    from nadie.storage import ModelFolder


def anonymize(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders, or - for standard input.", metavar="PATH...")],
    out: Annotated[
        Path | None, typer.Option(help="The folder for the anonymized texts; else they go to stdout.")
    ] = None,
    model: Annotated[str, typer.Option(help="A model's name (see `nadie models`) or folder.")] = "fast",
    policy: Annotated[
        str, typer.Option(help="default, hipaa-safe-harbor, gdpr-pseudonymise, research, or a policy file (.toml).")
    ] = "default",
    operator: Annotated[
        list[str] | None,
        typer.Option(
            help="Another operator for a label or a class of labels; may be repeated.", metavar="LABEL=OPERATOR"
        ),
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option(help="The file with the key of invented values, hashes and shifts; else $NADIE_KEY.")
    ] = None,
    patient_id: Annotated[
        str,
        typer.Option(help="How documents tell their patient: none, meta:FIELD, id:PATTERN or span.", metavar="RULE"),
    ] = "none",
    vault: Annotated[
        Path | None, typer.Option(help="Keep what `nadie restore` needs in this encrypted file.", metavar="FILE")
    ] = None,
    vault_key_file: Annotated[
        Path | None,
        typer.Option(help="The file with the vault's passphrase; else $NADIE_VAULT_KEY, --key-file, a prompt."),
    ] = None,
    audit: Annotated[Path | None, typer.Option(help="A JSON line for each document, without a word of it.")] = None,
    report: Annotated[Path | None, typer.Option(help="An HTML page about the run, with plots.")] = None,
    workers: Annotated[int, typer.Option(help="Processes that look for spans; the result is the same.", min=1)] = 1,
    mode: ModeOption = Mode.BALANCED,
    known: KnownOption = None,
    allow: AllowOption = None,
    deny: DenyOption = None,
    thresholds: ThresholdsOption = None,
) -> None:
    """Replace what identifies a person: by labels, by invented values, by hashes, as the policy says.

    Files are read as they are; folders are searched for .txt, .xml and .jsonl files, recursively. What is not
    replaced comes out byte for byte. Exit code 0 means that every input was handled. Keys are never arguments.

    Examples:

        nadie anonymize note.txt                     one note, to the screen

        cat note.txt | nadie anonymize -             in a pipe

        nadie anonymize notes/ --out anonymized/     a folder, keeping its sub-folders

        nadie anonymize notes/ --out research/ --policy research --key-file key --patient-id 'id:^([^/]+)/'
                                                     lifelike notes; one sub-folder is one patient

        nadie anonymize notes/ --out out/ --policy research --vault notes.vault --audit out.jsonl --report out.html
                                                     with the way back, and the papers for the privacy officer

        nadie anonymize note.txt --operator FECHAS=keep --operator NAME=label-number
    """
    from nadie.anonymize.engine import Engine
    from nadie.anonymize.patients import patient_by
    from nadie.anonymize.vault.writing import VaultWriter
    from nadie.cli import workers as processes
    from nadie.cli.anonymizing import Outputs, TwoReadings, invents
    from nadie.cli.batch import STDIN, Batch, count_inputs
    from nadie.cli.console import progress_bar
    from nadie.cli.policy_options import KEY, policy_with, secret_from, secret_of_vault
    from nadie.pipeline import load
    from nadie.storage import find_model, read_model

    finding = Finding(mode, known, allow, deny, thresholds)
    chosen = policy_with(policy, operator or [])
    secret = secret_from(key_file, KEY)
    key = secret.key() if secret else None
    patient = patient_by(patient_id) if patient_id != "none" else None
    Engine(chosen, key)
    total = count_inputs(paths)
    with ExitStack() as stack:
        kept = None
        if vault is not None:
            passphrase = secret_of_vault(vault_key_file, secret, new=not vault.exists())
            kept = stack.enter_context(VaultWriter(vault, passphrase))
        write = stack.enter_context(_writer(out, alone=total in (None, 1)))
        bar = stack.enter_context(progress_bar())
        batch = Batch(bar)
        if workers > 1:
            pool = stack.enter_context(processes.annotating(model, workers, finding))
            annotated = processes.annotate(batch.read(paths), pool, workers, batch)
        else:
            annotated = batch.annotate(batch.read(paths), load(model, finding=finding))
        outputs = Outputs(write, kept, audit, report, _told(read_model(find_model(model), verify=False)))
        if invents(chosen) and STDIN not in paths:
            readings = TwoReadings()
            bar.start("annotating", total)
            readings.first(annotated)
            bar.start("anonymizing", total)
            documents = readings.second(Batch(bar).read(paths), batch)
            outputs.take(documents, Engine(chosen, key, patient=patient, originals=readings.values), batch)
        else:
            bar.start("anonymizing", total)
            outputs.take(annotated, Engine(chosen, key, patient=patient), batch)
    batch.finish()


def _told(folder: ModelFolder) -> dict[str, Any]:
    """What the audit says of the model: name, system, version, thresholds, and the hash of all its files."""
    import hashlib

    settings = folder.config.get("settings", {})
    seal = folder.path / "checksums.json"
    return {
        "name": folder.name,
        "system": folder.system,
        "version": str(folder.card.get("version", "")),
        "sha256": hashlib.sha256(seal.read_bytes()).hexdigest() if seal.is_file() else "",
        "thresholds": {name: value for name, value in settings.items() if "threshold" in name},
    }


@contextmanager
def _writer(out: Path | None, *, alone: bool) -> Iterator[Callable[[Document], None]]:
    from nadie.formats.text import Text

    if out is None:
        yield lambda document: _print(document.id, document.text, alone=alone)
    else:
        with Text().writer(out) as write:
            yield write


def _print(name: str, text: str, *, alone: bool) -> None:
    if not alone:
        sys.stdout.buffer.write(f"==> {name} <==\n".encode())
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
    if not alone and not text.endswith("\n"):
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()
