"""E2EJ: the sensitivity and the type of each token, learned jointly.

M. Jabreel, F. Hassan, N. Maarroof, D. Sánchez, J. Domingo-Ferrer, A. Moreno: "E2EJ: Anonymization of Spanish Medical
Records using End-to-End Joint Neural Networks", IberLEF 2019 (CEUR-WS 2421). Deviations are listed at `E2EJ`.
`paper.toml` has the paper's own configuration, for `nadie train e2ej --preset paper`; docs/en/understand/papers.md
compares it with the paper, and docs/en/understand/systems/e2ej.md has the improved system.
"""

from __future__ import annotations

from nadie.papers.e2ej.model import E2EJ, E2EJConfig

__all__ = ["E2EJ", "E2EJConfig"]
