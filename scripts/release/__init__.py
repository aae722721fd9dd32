"""Build and check what a release consists of; `make release` and `make bundle` run it."""
