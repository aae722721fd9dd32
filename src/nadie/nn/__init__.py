"""Layers only: tensors in, tensors out. Nothing here depends on spans, files or documents.

Letters in shapes: B sequences, T tokens, K tags, U distinct words, L characters, H hidden units.
"""

import os

# Some virtual machines advertise AMX but cannot use it; oneDNN then fails with "could not create a primitive". oneDNN
# reads this variable at its first computation, so it is set here, before any layer exists. A value set by the user has
# precedence.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE")
