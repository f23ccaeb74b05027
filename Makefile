# SPDX-License-Identifier: MIT
# Short names for what CMakePresets.json defines.  Every target sets up what it needs.
.DEFAULT_GOAL := help
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 600

.PHONY: help setup setup-lint setup-fuzz fuzz build test test-slow python-test python-oldest reproduce reproduce-quick demo docs dev asan tidy format check-format bench bench-docs clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 18

setup:
	@scripts/setup

setup-lint:
	@scripts/setup lint

setup-fuzz:
	@scripts/setup fuzz

build: setup  ## configure and build (release preset)
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)

test: build  ## build and run every test but the slow ones
	ctest --preset release --parallel $(JOBS)
	JOBS=$(JOBS) scripts/python_test

python-test: build  ## build the Python package and test it in an environment of its own
	JOBS=$(JOBS) scripts/python_test

python-oldest: build  ## the same with the oldest scikit-learn that is supported (Python 3.10 to 3.12)
	JOBS=$(JOBS) scripts/python_test 1.4.2

test-slow: build  ## run the slow tests, and every experiment with few draws
	ctest --preset release-slow --parallel $(JOBS)
	JOBS=$(JOBS) scripts/reproduce --quick

reproduce: build  ## run the experiments behind docs/reproduction.md, and write it; goes on where it was stopped
	JOBS=$(JOBS) scripts/reproduce

reproduce-quick: build  ## the same with few draws, below build/reproduce
	JOBS=$(JOBS) scripts/reproduce --quick

demo: setup  ## plant wrong labels in a table, find them, and write a report
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target candor
	scripts/demo build/release/bin/candor

docs: build  ## write docs/cli.md and the README's example from the commands
	build/release/bin/candor reference > docs/cli.md.new
	mv docs/cli.md.new docs/cli.md
	scripts/demo build/release/bin/candor --readme

dev: setup  ## build and test with every assertion on
asan: setup  ## build and test under the address and undefined-behaviour sanitizers
dev asan:
	cmake --preset $@
	cmake --build --preset $@ --parallel $(JOBS)
	ctest --preset $@ --parallel $(JOBS)

tidy: setup-lint  ## run clang-tidy on every file
	cmake --preset tidy
	cmake --build --preset tidy --parallel $(JOBS) -- -k 0

format: setup-lint  ## format every C++ file in place
	scripts/format

check-format: setup-lint  ## fail when a C++ file is not formatted
	scripts/format --check

bench: build  ## run the benchmarks
	scripts/bench build/release/bench

bench-docs: build  ## run the benchmarks and write docs/benchmarks.md
	scripts/benchmarks.py build/release

fuzz: setup-fuzz  ## fuzz each file format for FUZZ_SECONDS (600)
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS)
	scripts/fuzz build/fuzz $(FUZZ_SECONDS)

clean:  ## remove everything that was built
	rm -rf build
