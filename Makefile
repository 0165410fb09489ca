# Two commands: `make demo` shows the main job on real data, `make test` checks everything.
# Each creates its own environment in .venv; nothing but Python (3.11 or newer) and make is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test bench clean

demo: $(VENV)/.demo
	$(BIN)/reticent demo flights

test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest

bench: $(VENV)/.test
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/pytest benchmarks -s -q

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[all]'
	touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@ $(VENV)/.demo

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
