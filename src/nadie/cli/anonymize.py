"""`nadie anonymize`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from nadie.cli import detection_options as given
from nadie.options import DetectionOptions, Form, Images, Mode, Rename, Spans


def anonymize(
    paths: given.Paths,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The folder for the anonymized files; without it, texts, or one file of another format, go to standard"
            " output."
        ),
    ] = None,
    model: given.Model = "fast",
    policy: Annotated[
        str, typer.Option(help="default, hipaa-safe-harbor, gdpr-pseudonymise, research, or a policy file (.toml).")
    ] = "default",
    operator: Annotated[
        list[str] | None,
        typer.Option(
            help="The operator for a label or a class of labels; label:TEXT inserts a given text. May be repeated.",
            metavar="LABEL=OPERATOR",
        ),
    ] = None,
    surrogates: Annotated[
        Path | None,
        typer.Option(
            help="A CSV of names and places to use as surrogates, with the columns kind, value, sex, weight.",
            metavar="FILE",
        ),
    ] = None,
    key_file: Annotated[
        Path | None,
        typer.Option(help="A file with the key for surrogates, hashes and date shifts; by default $NADIE_KEY."),
    ] = None,
    release: Annotated[
        str,
        typer.Option(
            help="The name of this release: hashes and surrogates of another release of the same key tell nothing "
            "about those of this one.",
            metavar="NAME",
        ),
    ] = "",
    patient_id: Annotated[
        str,
        typer.Option(
            help="How a document's patient is identified: auto (default), none, folder, meta:FIELD, id:PATTERN, span.",
            metavar="RULE",
        ),
    ] = "",
    patients: Annotated[
        Path | None,
        typer.Option(
            help="A CSV that gives the patient of each document, with the columns document and patient.", metavar="FILE"
        ),
    ] = None,
    spans: Annotated[
        Spans,
        typer.Option(
            help="Spans to replace: given (those of the document; if it has none, those found), found, or both."
        ),
    ] = Spans.GIVEN,
    rename: Annotated[
        Rename,
        typer.Option(
            help="Names of output files and folders: auto (a hash in place of names with PHI), number, hash or keep."
        ),
    ] = Rename.AUTO,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Overwrite the original files; requires --vault or --backup.")
    ] = False,
    backup: Annotated[
        Path | None, typer.Option(help="With --in-place: a folder for copies of the original files.")
    ] = None,
    vault: Annotated[
        Path | None, typer.Option(help="An encrypted file with everything that `nadie restore` needs.", metavar="FILE")
    ] = None,
    vault_key_file: Annotated[
        Path | None,
        typer.Option(help="A file with the vault's passphrase; by default $NADIE_VAULT_KEY, --key-file or a prompt."),
    ] = None,
    audit: Annotated[
        Path | None, typer.Option(help="Write a JSON line about each document to this file: counts, never text.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML page about the run to this file.")] = None,
    failures: Annotated[
        Path | None,
        typer.Option(
            help="Write every failure to this file, one per line, with the name of the input file.", metavar="FILE"
        ),
    ] = None,
    names: Annotated[
        Path | None,
        typer.Option(
            help="Write a CSV of the new and the old names of the outputs to this file. It is confidential.",
            metavar="FILE",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Continue an interrupted run, or try its failed files again; needs the same options and key.",
        ),
    ] = False,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Allow an output of nadie as input, and an output folder that has the output of another policy.",
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show how much would be replaced, with samples, and write nothing.")
    ] = False,
    to: Annotated[
        Form, typer.Option(help="text: every file in its own format. jsonl: all texts in one file of JSON lines.")
    ] = Form.TEXT,
    encoding: given.Encoding = "",
    workers: given.Workers = 1,
    second: Annotated[
        str,
        typer.Option(
            help="The second model, run as well where names are replaced by surrogates: auto, none, or a model's name.",
            metavar="MODEL",
        ),
    ] = "auto",
    strict: Annotated[
        bool, typer.Option("--strict", help="Mask every other word that looks like a name, by its label.")
    ] = False,
    mode: given.OperatingMode = Mode.BALANCED,
    known: given.Known = None,
    allow: given.Allow = None,
    deny: given.Deny = None,
    thresholds: given.Thresholds = None,
    patterns: given.Patterns = None,
    country: given.Country = None,
    form: given.From = "",
    column: given.Column = None,
    keep_column: given.KeepColumn = None,
    patient_column: given.PatientColumn = "",
    images: given.OfImages = Images.READ,
    keep_graphics: given.KeepGraphics = False,
    write_in_boxes: given.WriteInBoxes = False,
    scan_mode: given.ScanMode = Mode.RECALL,
) -> None:
    """Replace what identifies a person by labels, surrogates or hashes, according to a policy.

    Takes files of many formats, which are recognised by their content, and folders with everything below them. Each
    output file has the format of its input, and everything that is not replaced stays unchanged. A file that cannot be
    read is reported and the others are still processed; exit code 0 means that nothing failed and there is no warning.
    Keys are read from a file or an environment variable, never from the command line.

    One note to standard output, the same in a pipe, and a folder with its sub-folders:

        nadie anonymize note.txt
        cat note.txt | nadie anonymize -
        nadie anonymize notes/ --out anonymized/

    Realistic notes, where each sub-folder is one patient:

        nadie anonymize notes/ --out research/ --policy research \\
            --key-file key --patient-id 'id:^([^/]+)/'

    With a vault to restore from, an audit and a report:

        nadie anonymize notes/ --out out/ --policy research \\
            --vault notes.vault --audit out.jsonl --report out.html

    A preview of what would be replaced; and JSON lines for another program:

        nadie anonymize notes/ --dry-run
        nadie anonymize notes/ --to jsonl > anonymized.jsonl

    A whole archive in four processes, and how to continue after an interruption:

        nadie anonymize archive/ --out out/ --policy research \\
            --key-file key --workers 4 --report out.html
        nadie anonymize archive/ --out out/ --policy research \\
            --key-file key --workers 4 --report out.html --resume

    Different operators for some labels:

        nadie anonymize note.txt --operator FECHAS=keep --operator NAME=mask
        nadie anonymize note.txt --operator 'NAME=label:(paciente {number})'

    Your own names and places, and your own patterns:

        nadie anonymize notes/ --out out/ --policy research \\
            --surrogates names.csv --patterns ours.toml

    A table in which the column nhc identifies the patient. Every column that is not proven harmless is searched or
    replaced; the summary says what was done with each. The second command chooses for some columns:

        nadie anonymize extract.csv --out out/ --patient-column nhc
        nadie anonymize extract.csv --out out/ --patient-column nhc \\
            --column nota --column contacto=NUMERO_TELEFONO --keep-column visita
    """
    from nadie.anonymize.secret import Key
    from nadie.cli.batch import KEY, patient_rule, policy_with, print_json_line, secret_from, secret_of_vault
    from nadie.cli.console import archive_bar, finish
    from nadie.cli.dry_run import Preview
    from nadie.files.container import OpenOptions
    from nadie.files.source import FileList
    from nadie.run.documents import RunOptions
    from nadie.run.files import FileOptions, RecordOptions, anonymize_files, preview_files
    from nadie.run.rewriting import InPlace, ReadOptions, StreamOutput

    found = (mode, known, allow, deny, thresholds, patterns, scan_mode, second, strict, tuple(country or ()))
    files = FileList(paths)
    tables = (tuple(column or ()), patient_column, tuple(keep_column or ()))
    is_one = files.is_one_document()
    is_nameless = is_one and out is None and to is Form.TEXT and not (vault or audit or report or names)
    secret = secret_from(key_file, KEY)
    passphrase = secret_of_vault(vault_key_file, secret, new=not vault.exists()) if vault and not dry_run else None
    options = FileOptions(
        RunOptions(
            model,
            DetectionOptions(*found),
            policy_with(policy, operator or [], surrogates),
            Key.of(secret, release),
            patient_rule(patient_id, patients, patient_column),
            spans,
        ),
        ReadOptions(
            form,
            encoding,
            OpenOptions(*tables, images=images, keep_graphics=keep_graphics, write_in_boxes=write_in_boxes),
            in_place=InPlace(backup) if in_place else None,
        ),
        RecordOptions(vault, passphrase, audit, report, failures, names),
        Rename.KEEP if is_nameless else rename,
        to,
        workers,
        resume,
        again,
    )
    to_stdout = print_json_line if to is Form.JSONL else StreamOutput(sys.stdout.buffer, is_one)
    target = out if out or in_place else to_stdout
    with archive_bar() if sys.stderr.isatty() and not is_one else nullcontext() as progress:
        if dry_run:
            preview = Preview()
            done = preview_files(files, target, options, preview.add, progress)
            preview.show(done.handled)
        else:
            done = anonymize_files(files, target, options, progress)
    finish(done)
