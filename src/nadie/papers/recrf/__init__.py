"""ReCRF: rules learned from the notes, whose matches are features of a conditional random field.

F. Hassan, M. Jabreel, N. Maaroof, D. Sánchez, J. Domingo-Ferrer, A. Moreno: "ReCRF: Spanish Medical Document
Anonymization using Automatically-crafted Rules and CRF", IberLEF 2019 (CEUR-WS 2421). Deviations are listed at `ReCRF`.
`paper.toml` has
the paper's own configuration, for `nadie train recrf --preset paper`; docs/en/understand/papers.md compares it with the
paper, and docs/en/understand/systems/recrf.md has the improved system.
"""

from __future__ import annotations

from nadie.papers.recrf.model import ReCRF, ReCRFConfig

__all__ = ["ReCRF", "ReCRFConfig"]
