# `make lab` opens the course; `make test` runs everything CI runs; `make help` lists the rest.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
STAGES := style unit stale nbval selftest real browser

.PHONY: help lab train experiments test build $(STAGES)

help:  ## List what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# torch goes first and alone: asked for by name, pip takes the build this machine should have.
.venv/.learner: pyproject.toml constraints.txt
	@echo "Installing into .venv; the first time takes some minutes."
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) $$(grep '^torch==' constraints.txt)
	$(PIP) -e . -c constraints.txt
	touch $@

.venv/.dev: .venv/.learner
	$(PIP) -e '.[dev,hub]' -c constraints.txt
	touch $@

lab: .venv/.learner  ## Make my-course/ once and open JupyterLab in it
	@$(BIN)/course start
	@$(BIN)/course lab

train: .venv/.learner  ## Train the reference mini-GPT on this project's markdown (some minutes)
	COURSE_MINILLM="$(CURDIR)/solutions" $(BIN)/minillm train --fast $(ARGS)

experiments: .venv/.learner  ## Run what is missing of lesson 17's experiments (half an hour)
	$(BIN)/python -m course.experiments

build: .venv/.dev  ## Make notebooks, packages and expected values from the sources
	$(BIN)/course build
	$(BIN)/grader build

# Every stage runs even if one before it failed, so that one run tells all.
test: .venv/.dev  ## Run every stage below, in this order, and say how long each took
	@failed=0; table=; \
	for stage in $(STAGES); do \
	  printf '\n== %s ==\n' $$stage; begin=$$(date +%s); result=ok; \
	  $(MAKE) --no-print-directory $$stage || { result=FAILED; failed=1; }; \
	  table="$$table$$(printf '%-10s%5d s  %s' $$stage $$(($$(date +%s) - begin)) $$result)\n"; \
	done; \
	printf "\n$$table"; exit $$failed

style: .venv/.dev  ## Lint and types
	$(BIN)/ruff check .
	$(BIN)/mypy

# two at a time, one thread each: what a machine with two cores does fastest
unit: .venv/.dev  ## Tests that need no browser
	OMP_NUM_THREADS=1 $(BIN)/pytest -m "not browser" -n 2 --dist loadfile

stale: .venv/.dev  ## Is what is committed what the build gives?
	$(BIN)/course build --check
	$(BIN)/grader build --check

nbval: .venv/.dev  ## The solved notebooks run, and print what they printed
	COURSE_MINILLM="$(CURDIR)/solutions" $(BIN)/pytest --nbval-lax --nbval-cell-timeout=300 \
	  solutions/*.ipynb

selftest: .venv/.dev  ## Holes score 0, answers full, each known mistake its own message
	$(BIN)/grader selftest

real: .venv/.dev  ## The same for lessons 00 and 01 through real notebooks and a real gradebook
	$(BIN)/grader selftest --nbgrader 00 01

browser: .venv/.dev  ## A learner's way through lesson 00, in Chromium
	$(BIN)/pytest tests/browser
