"""The robustness suite: hand-written notes unlike MEDDOCAN, and altered copies of an annotated corpus.

`notes/` has clinical notes written for this suite, from many countries and in many styles, with every identifier
marked and with traps: words and numbers that look like an identifier but are not. No model is trained on them.
"""

from __future__ import annotations
