"""`nadie risk`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from nadie.cli import detection_options as given


def risk(
    paths: given.Paths,
    audit: Annotated[
        Path | None, typer.Option(help="The audit of the run that wrote the output.", metavar="FILE")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write an HTML page for a privacy officer to this file.", metavar="FILE")
    ] = None,
    policy: Annotated[
        str,
        typer.Option(help="The policy of the run, for its shifts of dates; by default that of the audit."),
    ] = "",
    patient_id: Annotated[
        str, typer.Option(help="How a document's patient is identified, as for `nadie anonymize`.", metavar="RULE")
    ] = "auto",
    model: given.Model = "fast",
    gold: Annotated[
        Path | None, typer.Option(help="For a sample: the reviewed notes, if they are elsewhere.", metavar="DIR")
    ] = None,
    reviewed: Annotated[
        int | None,
        typer.Option(help="For a sample: the number of the last note that was reviewed, with all before it.", min=0),
    ] = None,
    system: Annotated[
        Path | None, typer.Option(help="For a sample: measure the annotations of another tool.", metavar="DIR")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option(help="For a sample: compare with the annotations of a second tool.", metavar="DIR")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For a sample: print the figures as JSON.")] = False,
) -> None:
    """Measure how much leaks by a reviewed sample, or estimate the risk that remains in an output.

    With a folder of `nadie sample`: the shares of notes and identifiers that leak, with bounds, as far as the sample is
    reviewed, and what can be stated by its rule. The page docs/en/reference/own-notes.md explains them.

    With an output and its audit: missed identifiers, unique patients, and nadie's own attacks.

    Reads the anonymized files and the audit of their run, never the originals, and prints figures and no text. The page
    docs/en/understand/privacy.md explains each figure. The estimate of missed identifiers was measured on other notes;
    only a reviewed sample of your notes tells how many were really missed.

    Examples:

        nadie risk review --report leaks.html
        nadie risk review --system other-tool/ --compare nadie/
        nadie risk brat-review --reviewed 120
        nadie anonymize notes/ --out out/ --policy research --key-file key \\
              --audit run.jsonl
        nadie risk out/ --audit run.jsonl --report risk.html
    """
    if audit is None:
        from nadie.cli.sample_risk import Compared, measure

        measure(paths, Compared(gold, reviewed, system, compare), report, as_json=as_json)
        return
    from nadie.anonymize.patients import patient_by
    from nadie.anonymize.policy import read_policy
    from nadie.cli.console import print_line
    from nadie.cli.language import say, say_error
    from nadie.document import Document
    from nadie.files.disk import write_bytes
    from nadie.files.source import FileList
    from nadie.options import Mode, Spans
    from nadie.risk.audit import read_audit
    from nadie.risk.page import html
    from nadie.risk.release import Release
    from nadie.run.documents import load
    from nadie.run.pipeline import batches
    from nadie.run.rewriting import FileReader, ReadOptions

    release = Release(read_audit(audit))
    shifts = read_policy(policy or release.audit.policy.removesuffix("+")).options.dates
    found, possible = load(model), load(model, mode=Mode.RECALL)
    patient = patient_by(patient_id)
    reader = FileReader(FileList(list(paths)), ReadOptions(spans=Spans.FOUND))
    for batch in batches(item for _, item in reader.texts()):
        outputs = [item for item in batch if isinstance(item, Document)]
        for failure in (item for item in batch if not isinstance(item, Document)):
            print_line(say_error(failure), "not read", "yellow")
        pairs = zip(found.annotate_all(outputs), possible.annotate_all(outputs), strict=True)
        for seen, more in pairs:
            release.add(seen, more.spans, patient(seen))
    for line in release.lines(shifts):
        sys.stdout.write(f"{say(line)}\n")
    if report is not None:
        write_bytes(report, html(release, shifts).encode())
