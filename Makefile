# make demo: set up and run the whole cascade on the bundled conversations.   make test: set up and run the tests.
# make test-heavy: the tests that need torch or Ray, on tiny models made by the tests.
# make test-service: the tests of the leaderboard with real servers, PostgreSQL and a browser.
# make docs: the documentation site, in build/site.
# make test-environment: an environment of its own for a backend, built and used on a recording.
PYTHON ?= python3
VENV := .venv
FUZZ_SECONDS ?= 600
BIN := $(VENV)/bin

.PHONY: demo test test-heavy test-service test-environment check bench docs fuzz clean

$(VENV)/demo-ready: pyproject.toml CMakeLists.txt $(wildcard native/*)
	@echo "setting up $(VENV): a minute or two, once"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cascade]'
	touch $@

$(VENV)/test-ready: $(VENV)/demo-ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cascade,data,llm,server,oidc,test]'
	touch $@

demo: $(VENV)/demo-ready
	$(BIN)/parakh demo

test: $(VENV)/test-ready
	$(BIN)/python -m pytest --ignore=tests/service/slow

$(VENV)/heavy-ready: $(VENV)/test-ready tests/heavy/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/heavy/requirements.txt
	touch $@

test-heavy: $(VENV)/heavy-ready
	$(BIN)/python -m pytest tests/heavy tests/ray

test-service: $(VENV)/test-ready
	$(BIN)/python -m pytest tests/service/slow

test-environment: $(VENV)/test-ready
	$(BIN)/parakh environment build faster-whisper
	$(BIN)/parakh run examples/audio/hi_anc_01.flac --preset tests/heavy/isolated.toml --out build/isolated --overwrite

check: $(VENV)/test-ready
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

bench: $(VENV)/test-ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python benchmarks/run.py

fuzz: $(VENV)/test-ready
	mkdir -p build/fuzz
	$(BIN)/python -m tests.fuzz.test_fuzz_readers build/fuzz
	$(BIN)/python tests/fuzz/fuzz_readers.py build/fuzz -artifact_prefix=build/fuzz- -max_total_time=$(FUZZ_SECONDS)

$(VENV)/docs-ready: $(VENV)/test-ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@

docs: $(VENV)/docs-ready
	$(BIN)/python -m docs.generate build/docs
	$(BIN)/python -m sphinx -q -W --keep-going -n build/docs build/site
	$(BIN)/python -m docs.generate.offline build/site
	@echo "the site: build/site/index.html"

clean:
	rm -rf $(VENV) build
