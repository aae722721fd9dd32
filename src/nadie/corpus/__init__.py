"""Annotated corpora: where they are, and how they get here whole and unchanged."""
