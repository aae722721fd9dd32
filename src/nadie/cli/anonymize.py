"""`nadie anonymize`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nadie.cli import detection_options as given
from nadie.options import DetectionOptions, Mode

if TYPE_CHECKING:
    from nadie.document import Document


def anonymize(
    paths: given.Paths,
    out: Annotated[
        Path | None, typer.Option(help="The folder for the anonymized texts; without it they go to stdout.")
    ] = None,
    model: given.Model = "fast",
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
        Path | None, typer.Option(help="The file with the key of surrogates, hashes and shifts; else $NADIE_KEY.")
    ] = None,
    patient_id: Annotated[
        str,
        typer.Option(help="How to tell a document's patient: none, meta:FIELD, id:PATTERN or span.", metavar="RULE"),
    ] = "none",
    vault: Annotated[
        Path | None, typer.Option(help="Keep what `nadie restore` needs in this encrypted file.", metavar="FILE")
    ] = None,
    vault_key_file: Annotated[
        Path | None,
        typer.Option(help="The file with the vault's passphrase; else $NADIE_VAULT_KEY, --key-file, a prompt."),
    ] = None,
    audit: Annotated[Path | None, typer.Option(help="A JSON line for each document: counts, never text.")] = None,
    report: Annotated[Path | None, typer.Option(help="An HTML page about the run, with plots.")] = None,
    workers: Annotated[int, typer.Option(help="Processes that share the work; the result is the same.", min=1)] = 1,
    mode: given.OperatingMode = Mode.BALANCED,
    known: given.Known = None,
    allow: given.Allow = None,
    deny: given.Deny = None,
    thresholds: given.Thresholds = None,
    form: given.From = "",
    column: given.Column = None,
    patient_column: given.PatientColumn = "",
) -> None:
    """Replace what identifies a person by labels, surrogates or hashes, as the policy says.

    Every file is read as what its content shows it to be, in folders recursively, and written in its own form; one
    that nadie does not read is refused by name, and the rest goes on. What is not replaced comes out as it was. Exit
    code 0 means that every input was handled. Keys are never arguments.

    One note to the screen, the same in a pipe, and a folder with its sub-folders:

        nadie anonymize note.txt
        cat note.txt | nadie anonymize -
        nadie anonymize notes/ --out anonymized/

    Realistic notes, where each sub-folder is one patient:

        nadie anonymize notes/ --out research/ --policy research \\
            --key-file key --patient-id 'id:^([^/]+)/'

    With a vault to restore from, an audit and a report:

        nadie anonymize notes/ --out out/ --policy research \\
            --vault notes.vault --audit out.jsonl --report out.html

    Another operator for some labels:

        nadie anonymize note.txt --operator FECHAS=keep --operator NAME=mask

    Two columns of a table, whose rows are told apart by the patient's number:

        nadie anonymize extract.csv --out out/ --column nota \\
            --column nombre=NOMBRE_SUJETO_ASISTENCIA --patient-column nhc
    """
    from nadie.anonymize.records import Records
    from nadie.anonymize.vault.writing import VaultWriter
    from nadie.cli.batch import Summary, check_output
    from nadie.cli.console import progress_bar
    from nadie.cli.policy_options import KEY, policy_with, secret_from, secret_of_vault
    from nadie.containers.base import OpenOptions
    from nadie.formats.files import write_bytes, writing
    from nadie.rewriting import Rewriting
    from nadie.run import Run, RunOptions

    check_output(out, paths)
    secret = secret_from(key_file, KEY)
    options = RunOptions(
        model,
        DetectionOptions(mode, known, allow, deny, thresholds),
        policy_with(policy, operator or []),
        secret.key() if secret else None,
        "meta:patient" if patient_column else "" if patient_id == "none" else patient_id,
    )
    rewriting = Rewriting(paths, out, form=form, options=OpenOptions(tuple(column or ()), patient_column))
    total = rewriting.count()
    with ExitStack() as stack:
        run = stack.enter_context(Run(options, workers))
        passphrase = secret_of_vault(vault_key_file, secret, new=not vault.exists()) if vault else None
        records = Records(
            options.policy,
            run.pipeline.about,
            vault=stack.enter_context(VaultWriter(vault, passphrase)) if vault and passphrase else None,
            audit=stack.enter_context(writing(audit)) if audit else None,
        )
        write = stack.enter_context(_writer(out, alone=total in (None, 1)))
        summary = Summary(bar := stack.enter_context(progress_bar()))
        bar.start("anonymizing", total)
        results = run.anonymize(rewriting.inputs(), records)
        summary.write(rewriting.outputs(results), write)
    if report is not None:
        write_bytes(report, records.report.html(failures=len(summary.failures)).encode())
    summary.finish()


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
