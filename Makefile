# make demo: set up and run the whole cascade on the bundled conversations.   make test: set up and run the tests.
# make test-heavy: the tests that need torch or Ray, on tiny models made by the tests.
# make test-service: the tests of the leaderboard with real servers, PostgreSQL and a browser.
# make docs: the documentation site, in build/site.
# make test-environment: an environment of its own for a backend, built and used on a recording.
PYTHON ?= python3
VENV := .venv
FUZZ_SECONDS ?= 600
BIN := $(VENV)/bin
# Once Parakh is installed, pip adds what its extras want and compiles nothing again.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Every core has a share of the test files; those of one file stay together, as they may share what is dear to set up.
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

.PHONY: demo test test-heavy test-service test-environment check bench docs fuzz clean

$(VENV)/demo-ready: pyproject.toml CMakeLists.txt $(wildcard native/*)
	@echo "setting up $(VENV): a minute or two, once"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e '.[cascade]'
	touch $@

$(VENV)/test-ready: $(VENV)/demo-ready
	$(PIP) 'parakh[cascade,data,llm,server,oidc,test]'
	touch $@

demo: $(VENV)/demo-ready
	$(BIN)/parakh demo

test: $(VENV)/test-ready
	$(PYTEST) --ignore=tests/service/slow

$(VENV)/heavy-ready: $(VENV)/test-ready tests/heavy/requirements.txt
	$(PIP) -r tests/heavy/requirements.txt
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
	$(PIP) 'parakh[bench]'
	$(BIN)/python benchmarks/run.py

fuzz: $(VENV)/test-ready
	mkdir -p build/fuzz
	$(BIN)/python -m tests.fuzz.test_fuzz_readers build/fuzz
	$(BIN)/python tests/fuzz/fuzz_readers.py build/fuzz -artifact_prefix=build/fuzz- -max_total_time=$(FUZZ_SECONDS)

$(VENV)/docs-ready: $(VENV)/test-ready
	$(PIP) 'parakh[docs]'
	touch $@

docs: $(VENV)/docs-ready
	$(BIN)/python -m docs.generate build/docs
	$(BIN)/python -m sphinx -q -W --keep-going -n build/docs build/site
	$(BIN)/python -m docs.generate.offline build/site
	@echo "the site: build/site/index.html"

clean:
	rm -rf $(VENV) build
