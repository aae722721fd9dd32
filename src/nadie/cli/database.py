"""`nadie database`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nadie.cli import detection_options as given
from nadie.options import DetectionOptions


@given.with_detection_options
def database(
    source: Annotated[str, typer.Argument(help="The table to read, with its schema if it has one.", metavar="SOURCE")],
    target: Annotated[str, typer.Argument(help="The table to write; it is created if it is new.", metavar="TARGET")],
    key: Annotated[str, typer.Option(help="The primary key of SOURCE, or a unique column.", metavar="COLUMN")],
    text: Annotated[
        list[str], typer.Option(help="A column whose texts are anonymized. May be repeated.", metavar="COLUMN")
    ],
    patient: Annotated[str, typer.Option(help="The column that identifies the patient.", metavar="COLUMN")] = "",
    keep: Annotated[
        list[str] | None,
        typer.Option(help="A column to copy unchanged. May be repeated; all others are left out.", metavar="COLUMN"),
    ] = None,
    url: Annotated[
        str,
        typer.Option(
            help="The database, such as postgresql://user@host/name; better in the variable, where no list of"
            " processes shows it.",
            envvar="NADIE_DATABASE",
        ),
    ] = "",
    policy: Annotated[str, typer.Option(help="The name of a policy, or a policy file (.toml).")] = "research",
    key_file: Annotated[Path | None, typer.Option(help="A file with the key; by default $NADIE_KEY.")] = None,
    model: given.Model = "fast",
    workers: given.Workers = 1,
    *,
    detection: DetectionOptions,
) -> None:
    """Anonymize the texts of a database table into another table, in batches that can be continued.

    The source is never changed. Only the texts and the columns of --keep are copied, because any other may identify
    somebody. Each batch is one transaction with its checkpoint: run the command again after an interruption, or for the
    rows added since. The database is any that SQLAlchemy has a driver for: PostgreSQL and SQLite without more, others
    after `pip install` of theirs (pymysql, oracledb, pyodbc).

    Examples:

        export NADIE_DATABASE=postgresql://ana@db.example/hospital
        nadie database notas notas_anonimas --key id --text nota \\
            --text juicio --patient nhc --keep id --key-file key

    Notes in the common data model of OMOP:

        nadie database cdm.note research.note --key note_id \\
            --text note_text --text note_title --patient person_id \\
            --keep note_id --keep note_class_concept_id --key-file key
    """
    from nadie.anonymize.secret import Key
    from nadie.cli.batch import KEY, policy_with, secret_from
    from nadie.cli.console import counted, print_line, stderr
    from nadie.cli.language import say
    from nadie.errors import ConfigError
    from nadie.integrations.database import TableJob, anonymize_table
    from nadie.run.documents import RunOptions

    if not url:
        raise ConfigError("no database is given: set NADIE_DATABASE, or --url")
    options = RunOptions(
        model,
        detection,
        policy_with(policy, []),
        Key.of(secret_from(key_file, KEY)),
        "meta:patient" if patient else "none",
    )
    job = TableJob(source, target, key, text, patient, keep or ())
    with stderr().status(say("anonymizing")) as status:
        done = anonymize_table(
            url, job, options, workers=workers, progress=lambda rows: status.update(say(f"{rows} rows written"))
        )
    print_line(f"{counted(done.rows, 'row')} written, {counted(done.failed, 'text')} failed")
    if done.failed:
        print_line("texts that failed are null in the target; nadie_failures has their keys")
        raise typer.Exit(1)
