# Parallax. `make run` starts everything, `make test` tests everything; both set up what they need.

# A distribution's own Python comes first: it is built with profile-guided optimization and a sixth quicker than one that
# pyenv compiles. PYTHON=… takes another.
ifndef PYTHON
PYTHON := $(shell for python in /usr/bin/python3 python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
	echo $$python && break; done)
endif
BIN := .venv/bin
# Commands that need neither a database nor a secret of their own.
MANAGE := PARALLAX_LOCAL=1 SECRET_KEY=unused $(BIN)/python manage.py
TYPED := accounts annotation api bench comparison config corpus parallax_client researcher scoring stimuli tests training work

# A machine that keeps no compiled modules would compile all of ours, and pytest's rewritten tests, at every start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-fast check lint lint-style lint-format lint-types lint-arrows lint-migrations
.PHONY: format clean constraints audit pictures install install-dev chromium models messages has-python

run: install
	@$(BIN)/python -m config.local

# Four processes on two cores: tests wait for browsers, servers and workers a third of their time.
test: install-dev chromium models
	@$(BIN)/python -m pytest --processes 4 $(ARGS)

check: lint test-fast

test-fast: install-dev
	@$(BIN)/python -m pytest -q --processes 2 -m "not slow" $(ARGS)

# `make -k lint` runs all five even if one finds something.
lint: lint-style lint-format lint-types lint-arrows lint-migrations
lint-style: install-dev
	@$(BIN)/ruff check .
lint-format: install-dev
	@$(BIN)/ruff format --check .
lint-types: install-dev
	@$(BIN)/mypy $(TYPED)
lint-arrows: install-dev
	@$(BIN)/lint-imports --no-logo
lint-migrations: install-dev
	@$(MANAGE) makemigrations --check --dry-run

format: install-dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

# Leaves var/ alone: labels, scores and models live there.
clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './var/*' -prune -exec rm -rf {} +

# Measures: `make bench-scoring` runs bench.scoring. The test suite runs each small (tests/bench/test_small.py).
bench-%: install-dev models
	@$(BIN)/python -m bench.$* $(ARGS)

# The pictures of docs/ and the README, from a product of its own; ARGS="--at URL --password FILE" takes a running one.
pictures: install-dev chromium models
	@$(BIN)/python -m tests.pictures $(ARGS)

# The versions of what our requirements ask for in turn, from the environment that was just tested.
constraints: install-dev
	@{ head -1 constraints.txt; $(BIN)/pip freeze --local | grep -viE '^(torch|triton|nvidia-.*|cuda-.*)=='; } \
		> .venv/constraints.txt && mv .venv/constraints.txt constraints.txt

# Names what of constraints.txt has known weaknesses, as PyPI lists them: it asks PyPI about each. Not in `.ci/run`, which needs no network.
audit: install
	@test -d .venv/audit || { $(BIN)/python -m venv .venv/audit && .venv/audit/bin/pip install --quiet pip-audit==2.10.1; }
	@.venv/audit/bin/pip-audit --strict --disable-pip --no-deps --requirement constraints.txt $(ARGS)

install install-dev: | has-python
install:
	@$(PYTHON) config/local/install.py
install-dev:
	@$(PYTHON) config/local/install.py --dev

has-python:
	@test -n "$(PYTHON)" || { echo "Parallax needs Python 3.11 or newer with its venv module (on Debian: apt-get install python3 python3-venv)."; exit 1; }

# Needs GNU gettext. Brings what templates and modules say into every catalog, and compiles the catalogs.
messages: install-dev
	@$(MANAGE) makemessages --all --no-obsolete --no-location --no-wrap --ignore var --ignore .venv --ignore tests --verbosity 0
	@msgen --no-wrap locale/en/LC_MESSAGES/django.po --output-file locale/en/LC_MESSAGES/django.po
	@$(MANAGE) compilemessages --ignore var --ignore .venv --verbosity 0

chromium:
	@sh config/local/chromium.sh

models: install-dev
	@$(MANAGE) fetch_models --files-only
