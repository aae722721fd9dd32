"""`nadie gateway`: a server between programs and a language model."""

from __future__ import annotations

from typing import Annotated

import typer

from nadie.cli import detection_options as given
from nadie.options import DetectionOptions


@given.with_detection_options
def gateway(
    upstream: Annotated[
        str, typer.Argument(help="The address of the language model's API, up to and with /v1.", metavar="URL")
    ],
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on.")] = 8100,
    model: given.Model = "fast",
    *,
    detection: DetectionOptions,
) -> None:
    """Serve an OpenAI-compatible API that sends placeholders to a language model and restores its answers.

    Programs use http://HOST:PORT/v1 in place of the model's own address, with the same keys. In all messages, in the
    arguments and results of tools and in prompts, everything that identifies a person becomes a placeholder such as
    [NOMBRE_1]; answers, also streamed ones, get the originals back. Nothing is stored or logged. Images, sound, files
    and token numbers are refused, and so is every other endpoint. If nadie fails, nothing is sent.

    What is missed is sent: --mode recall misses least. Other machines should reach the gateway only through TLS.

    Example:

        nadie gateway https://llm.hospital.example/v1 --mode recall
    """
    from nadie.integrations.gateway import run
    from nadie.integrations.shield import shielding

    run(upstream, host, port, shielding(model, frozenset(), detection))
