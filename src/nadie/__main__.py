"""`python -m nadie`."""

from nadie.cli.main import main

main()
