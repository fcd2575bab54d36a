# `make check` is what CI runs. PYTHON is the interpreter of an environment with `pip install -e '.[dev]'`.
PYTHON ?= .venv/bin/python

.PHONY: check test lint types format tune results

check: test lint types

test:
	$(PYTHON) -m pytest

lint:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

types:
	$(PYTHON) -m mypy

format:
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

# The choice of parameters on lucan-vergil, and the tables of README and docs; both need the data sets (CONTRIBUTING.md).
tune:
	$(PYTHON) benchmarks/tune.py

results:
	$(PYTHON) benchmarks/results.py
