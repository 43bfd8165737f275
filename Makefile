# make demo: set up and run the whole cascade on the bundled conversations.   make test: set up and run the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check bench docs clean

$(VENV)/demo-ready: pyproject.toml CMakeLists.txt $(wildcard native/*)
	@echo "setting up $(VENV): a minute or two, once"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cascade]'
	touch $@

$(VENV)/test-ready: $(VENV)/demo-ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cascade,llm,test]'
	touch $@

demo: $(VENV)/demo-ready
	$(BIN)/parakh demo

test: $(VENV)/test-ready
	$(BIN)/python -m pytest

check: $(VENV)/test-ready
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

bench: $(VENV)/test-ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python benchmarks/run.py

docs: $(VENV)/test-ready
	$(BIN)/python docs/build.py

clean:
	rm -rf $(VENV) build
