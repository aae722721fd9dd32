"""`nadie policy`."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

app = typer.Typer(help="Policies, for `--policy`.", no_args_is_help=True)


@app.command()
def check(
    policy: Annotated[str, typer.Argument(help="The name of a policy, or a policy file (.toml).", metavar="POLICY")],
) -> None:
    """Read a policy and print the operator of each label.

    Exit code 2 means that it is no valid policy.

    Example:

        nadie policy check ours.toml
    """
    from nadie.anonymize.policy import read_policy

    for label, operator in sorted(read_policy(policy).operators().items()):
        sys.stdout.write(f"{label}\t{operator.name}\n")


@app.command()
def schema() -> None:
    """Print the JSON schema of policies, for editors and for programs that write them.

    Example:

        nadie policy schema > policy.schema.json
    """
    from nadie.anonymize.policy_schema import policy_schema

    sys.stdout.write(json.dumps(policy_schema(), ensure_ascii=False, indent=1) + "\n")
