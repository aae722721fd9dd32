"""Annotated corpora: downloaded, verified and unpacked."""
