"""The operators that policies name, one in each file; `base.py` has their protocol."""
