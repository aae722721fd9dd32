"""`nadie vectors`: word vectors for the neural systems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nadie.cli.language import say

app = typer.Typer(help="Word vectors for the neural systems.", no_args_is_help=True)


@app.command()
def train(
    texts: Annotated[list[Path], typer.Argument(help="Files or folders of notes; annotations are not needed.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write the vectors to.")],
    width: Annotated[int, typer.Option(min=8, max=1024, help="Dimensions of a vector.")] = 300,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the texts.")] = 10,
    seed: Annotated[int, typer.Option(help="The same seed and texts give the same vectors.")] = 1,
    as_written: Annotated[
        bool, typer.Option("--as-written", help="Keep case, accents and digits of words; otherwise they are folded.")
    ] = False,
) -> None:
    """Train word vectors from notes, with or without annotations.

    Example, from the MEDDOCAN material:

        nadie vectors train meddocan/background meddocan/train/brat \\
            --out vectors

    Pass them to a system as an option:

        nadie train bilstm_crf ... --set vectors=vectors
    """
    from dataclasses import asdict

    from nadie.cli.console import stderr
    from nadie.files.annotated.reading import read_documents
    from nadie.training.vectors import VectorPlan, save_vectors, train_vectors

    console = stderr()
    plan = VectorPlan(width=width, epochs=epochs, seed=seed, folded=not as_written)
    notes = [document.text for path in texts for document in read_documents(path)]
    with console.status(say(f"training vectors of {width} dimensions on {len(notes)} notes")):
        trained = train_vectors(notes, plan)
    card = {"notes": len(notes), "words": len(trained.words), "seed": seed}
    save_vectors(trained, out, asdict(plan), card)
    console.print(say(f"{len(trained.words)} words from {len(notes)} notes written to {out}"))


@app.command("import")
def import_(
    source: Annotated[Path, typer.Argument(help="A file of word2vec or GloVe, text or binary.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write the vectors to.")],
    vocabulary: Annotated[
        Path | None, typer.Option(help="The vocabulary file of GloVe, which its binary format needs.")
    ] = None,
    most: Annotated[int, typer.Option(min=0, help="Keep only so many words, the first; 0: all.")] = 0,
) -> None:
    """Import word vectors that were made elsewhere.

    Words are kept as written; a network that folds words takes the first of the forms that fold to the same word. Every
    neural system can use them:

        nadie vectors import glove.txt --out glove --most 200000
        nadie train e2ej ... --set vectors=glove

    GloVe's binary format has no words:

        nadie vectors import vectors.bin --vocabulary vocab.txt --out glove
    """
    from nadie.cli.console import stderr
    from nadie.training.imported_vectors import read_vectors
    from nadie.training.vectors import save_vectors

    read = read_vectors(source, vocabulary, most)
    width = int(read.table.shape[1])
    save_vectors(read, out, {"width": width, "source": source.name}, {"words": len(read.words)})
    stderr().print(say(f"{len(read.words)} words of {width} dimensions written to {out}"))
