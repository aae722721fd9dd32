"""The robustness suite: notes that look nothing like MEDDOCAN, and MEDDOCAN's own notes in other clothes.

`notes/` holds clinical notes written by hand for this suite, from many countries and in many styles, with every
identifier marked and with traps: words and figures that look like an identifier and are none. Nothing in nadie is
trained or tuned on them. `runner.py` measures a system on them and on altered copies of an annotated corpus.
"""

from __future__ import annotations
