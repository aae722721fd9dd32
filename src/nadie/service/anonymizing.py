"""The anonymization engine as a worker uses it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nadie import registry
from nadie.document import Document
from nadie.service.schemas import PolicyBody


def policies_of(default: str) -> dict[str, PolicyBody]:
    """The policies that can be asked for, the default first."""
    return {default: PolicyBody(name=default, default=True, description="Every span becomes its label in brackets")}


class Anonymizer:
    """Replaces the spans of documents by the policy that is asked for."""

    def __init__(self, policies: Mapping[str, str], key: str) -> None:
        self._operator = registry.operators.get("label")()

    def __call__(self, document: Document, policy: str) -> dict[str, Any]:
        """The new text, and where in it the replacement of each span stands."""
        pieces: list[str] = []
        places: list[list[int]] = []
        end = length = 0
        for span in document.spans:
            replacement = self._operator.replace(document.text_of(span), span)
            pieces += [document.text[end : span.start], replacement]
            length += span.start - end + len(replacement)
            places.append([length - len(replacement), length])
            end = span.end
        return {"text": "".join([*pieces, document.text[end:]]), "replacements": places}
