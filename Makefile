# Every target sets up what it needs. `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help setup environment packages demo serve test lint style types contracts check units prove bench docs references wheel clean audit

VENV := .venv
PYTHON := $(VENV)/bin/python
STAMP := $(VENV)/.installed
HANDBOOK := src/opilio/web/handbook_pages/index.html
# Checks and documents must not write into the home of whoever works here.
BUILD_HOME := $(CURDIR)/build/home
# Whoever wants no compiled files beside the sources gets them in build/: without any, each of the hundreds of
# processes that tests start would compile all of Django anew, which takes longer than the tests.
ifdef PYTHONDONTWRITEBYTECODE
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/build/bytecode
endif

help:            ## Say what there is.
	@grep -hE '^[a-z]+: *.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: environment packages  ## Make the Python environment, and install what tests need of the system.

environment: $(STAMP)

$(STAMP): requirements.lock pyproject.toml tools/native.py $(wildcard src/opilio/*/native/* src/opilio/*/*/native/*)
	@sh tools/environment.sh $(VENV)
	@touch $@

packages:
	@sh tools/packages.sh

demo: environment  ## Show the product on a sample site, without a network.
	@$(MAKE) -s docs || echo "The handbook could not be made; the demo goes on without it."
	$(PYTHON) -m opilio demo

serve: environment  ## Run pages, API and a local agent on the home in ./var.
	$(PYTHON) -m opilio db migrate
	$(PYTHON) -m opilio serve

test: environment packages  ## Run every test, with SQLite and with PostgreSQL.
	$(PYTHON) -m tests.audit
	$(PYTHON) -m tests.run $(ARGS)

audit: environment  ## List all locked packages, and ask for advisories about them where that can be done.
	$(PYTHON) -m tests.audit

lint: style types contracts  ## Lint, types and import contracts.

style: environment
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: environment
	OPILIO_HOME=$(BUILD_HOME) $(VENV)/bin/mypy

contracts: environment
	OPILIO_HOME=$(BUILD_HOME) $(VENV)/bin/lint-imports

# Types and contracts are computed by one process each; tests use the other processors meanwhile.
check: environment  ## Lint, types, contracts and unit tests that need no database; under a minute.
	@$(MAKE) --no-print-directory --output-sync=target --jobs=2 style units types contracts

units: environment
	$(PYTHON) -m pytest -q -n auto -p no:schemathesis -p no:anyio --durations=0 --durations-min=2 -m "not database" tests/unit tests/architecture

prove: environment packages  ## Run every test on both databases, then the long proofs at full counts; write docs/proofs.md.
	OPILIO_TEST_WHOLE=1 $(PYTHON) -m tests.run
	$(PYTHON) -m tests.prove

bench: environment  ## Measure, side by side with peers where there are any.
	@sh benchmarks/peers.sh
	$(PYTHON) -m benchmarks $(ARGS)

docs: $(HANDBOOK)  ## Make the handbook that the pages link to, from docs/.

$(HANDBOOK): $(STAMP) $(shell find docs -type f)
	@echo "Making the handbook …"
	@$(PYTHON) -m sphinx -q -W --keep-going -j auto -d build/doctrees docs $(dir $@)
	@touch $@

references: environment  ## Write the generated parts of the documentation anew, and the screenshots.
	$(PYTHON) -m tests.regenerate

wheel: $(HANDBOOK)  ## Build the wheel, with the handbook in it, into dist/.
	$(PYTHON) -m hatchling build -t wheel -d dist

clean:           ## Remove what the other targets made, except ./var.
	rm -rf $(VENV) build dist $(dir $(HANDBOOK)) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
