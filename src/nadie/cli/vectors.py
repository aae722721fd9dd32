"""`nadie vectors`: word vectors for the neural systems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Word vectors for the neural systems.", no_args_is_help=True)


@app.command()
def train(
    texts: Annotated[list[Path], typer.Argument(help="Files or folders of notes; annotations are not needed.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write the vectors to.")],
    width: Annotated[int, typer.Option(min=8, max=1024, help="Dimensions of a vector.")] = 300,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the texts.")] = 10,
    seed: Annotated[int, typer.Option(help="The same seed and texts give the same vectors.")] = 1,
) -> None:
    """Train word vectors from notes, with or without annotations.

    Example, from the MEDDOCAN material:

        nadie vectors train meddocan/background meddocan/train/brat \\
            --out vectors

    Pass them to a system as an option:

        nadie train bilstm_crf ... --set vectors=vectors
    """
    from nadie.cli.console import stderr
    from nadie.files.annotated.reading import read_documents
    from nadie.training.vectors import VectorPlan, save_vectors, train_vectors

    console = stderr()
    plan = VectorPlan(width=width, epochs=epochs, seed=seed)
    notes = [document.text for path in texts for document in read_documents(path)]
    with console.status(f"training vectors of {width} dimensions on {len(notes)} notes"):
        trained = train_vectors(notes, plan)
    card = {"notes": len(notes), "words": len(trained.words), "seed": seed}
    save_vectors(trained, out, plan, card)
    console.print(f"{len(trained.words)} words from {len(notes)} notes written to {out}")
