# `make` lists the targets. What a target needs is built under build/ first, once.
# Steps of more than a few lines are scripts in .ci/.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
BMCS ?=
LATENCY_MS ?=
SCENARIO ?=

# Ansible overlooks an ansible.cfg in a folder that others may write to, unless it is named.
export ANSIBLE_CONFIG := $(CURDIR)/ansible.cfg
export VITRO_CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/vitro
export PYTHONUTF8 := 1
export PATH := $(CURDIR)/build/venv/bin:$(PATH)

COLLECTION := build/collections/ansible_collections/frontier/vitro
RUNTIME := build/venv/.runtime $(COLLECTION)
TEST := build/venv/.test $(COLLECTION)
BENCH := build/venv-bench/.bench $(COLLECTION)
KOLLA := build/venv-kolla/.kolla
PARTS := format-check lint types docs changelog sanity pytest dist demo-check

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' Makefile

## The way in

.PHONY: demo rack rack-stop
demo: $(RUNTIME) $(KOLLA) ## Discover, plan and render an emulated rack of eight servers
	@.ci/demo

rack: $(RUNTIME) ## Start the emulated rack
	@python -m tests.lab.rack up

rack-stop: $(RUNTIME) ## Stop the emulated rack
	@python -m tests.lab.rack down

## Tests

.PHONY: test $(PARTS) format unit test-packages
test: $(TEST) $(KOLLA) test-packages ## Run everything that proves the collection but the engine suites
	@.ci/parts $(PARTS)

format: $(TEST) ## Format the Python code
	@ruff format .
	@ruff check --fix-only .

format-check: $(TEST) ## Check the format
	@ruff format --check .

lint: $(TEST) ## Run ruff and ansible-lint
	@ruff check .
	@ansible-lint --offline

types: $(TEST) ## Check the types
	@mypy plugins/module_utils plugins/plugin_utils

docs: $(TEST) ## Check the documentation of plugins and roles
	@.ci/docs

changelog: $(TEST) ## Check the changelog fragments
	@antsibull-changelog lint

sanity: $(TEST) ## Run ansible-test sanity
	@python .ci/sanity.py

unit: $(TEST) $(KOLLA) ## Run the unit tests
	@pytest -n 2 tests/unit

pytest: $(TEST) $(KOLLA) ## Run the unit and integration tests
	@pytest -n 2

dist: $(TEST) ## Build the collection, and install it where there is nothing else
	@.ci/dist

demo-check: $(TEST) $(KOLLA) ## Run the demo, ask its inventory, and stop the rack
	@.ci/demo
	@ansible-inventory -i inventories/lab/bmc.yml --graph
	@ansible-inventory -i inventories/lab/site.yml --graph
	@python -m tests.lab.rack down

# Without root the packages are only named: the suites that need them then skip, and say why.
test-packages:
	@.ci/packages "the IPMI and report suites and the rules on tracked files" chromium=chromium ipmi_sim=openipmi ipmitool=ipmitool git=git || true

## Engine suites

.PHONY: engines molecule
engines: $(TEST) ## Run every engine suite
	@.ci/engines

molecule: $(TEST) ## Run one molecule scenario: SCENARIO=name
	@.ci/molecule "$(SCENARIO)"

.PHONY: prove-kolla prove-kolla-all
prove-kolla: $(TEST) build/venv-kolla/.collections ## Let the real kolla-ansible configure one server from a rendered site
	@.ci/packages "the proof of HAProxy's configuration" haproxy=haproxy
	@pytest tests/engines/kolla/test_one_server.py tests/engines/kolla/test_secrets.py tests/engines/kolla/test_rotation.py tests/engines/kolla/test_outside_ovn.py

prove-kolla-all: $(TEST) build/venv-kolla/.collections ## The same for all services on all servers
	@pytest tests/engines/kolla/test_all_servers.py

.PHONY: prove-cloud
prove-cloud: $(TEST) $(KOLLA) ## Ask, drain and forget compute hosts of a real OpenStack on loopback
	@pytest tests/engines/cloud

## Benchmarks

.PHONY: bench-discovery bench-inventory bench-plan bench-kolla bench-ceph bench-rke2
bench-discovery: $(BENCH) ## Compare the reader with its peers; BMCS= and LATENCY_MS= choose one point
	@build/venv-bench/bin/python -m benchmarks.discovery $(if $(BMCS),--bmcs $(BMCS)) $(if $(LATENCY_MS),--latency-ms $(LATENCY_MS))

bench-inventory: $(BENCH) ## Compare the cached inventory with a static one
	@build/venv-bench/bin/python -m benchmarks.inventory

bench-plan: $(BENCH) ## Measure the planner from 100 to 2,000 servers
	@build/venv-bench/bin/python -m benchmarks.plan

bench-kolla: $(BENCH) $(KOLLA) ## Measure rendering and checking Kolla's configuration for 3 and 100 hosts
	@build/venv-bench/bin/python -m benchmarks.kolla

bench-ceph: $(BENCH) ## Compare the processes that the Ceph scenario counted with those of a peer
	@build/venv-bench/bin/python -m benchmarks.ceph

bench-rke2: $(BENCH) ## Compare a run of RKE2's role that changes nothing with two peers
	@build/venv-bench/bin/python -m benchmarks.rke2

## Upkeep

.PHONY: lock reference clean
lock: $(TEST) ## Lock the dependencies anew
	@.ci/lock

reference: $(TEST) ## Write the JSON Schemas and the pages that the code tells
	@python docs/reference.py

clean: ## Remove what was built
	@[ ! -d build/rack ] || build/venv/bin/python -m tests.lab.rack down
	@rm -rf build .ansible .hypothesis .mypy_cache .pytest_cache .ruff_cache

build/venv/.runtime: requirements/runtime.txt
	@.ci/venv "$(PYTHON)" build/venv requirements/runtime.txt
	@touch $@

build/venv/.test: build/venv/.runtime requirements/test.txt requirements/build.txt
	@.ci/venv "$(PYTHON)" build/venv requirements/test.txt requirements/build.txt
	@touch $@

build/venv-bench/.bench: requirements/runtime.txt requirements/bench.txt
	@.ci/venv "$(PYTHON)" build/venv-bench requirements/runtime.txt requirements/bench.txt
	@touch $@

build/venv-kolla/.kolla: requirements/kolla.txt
	@.ci/venv "$(PYTHON)" build/venv-kolla requirements/kolla.txt
	@touch $@

build/venv-kolla/.collections: build/venv-kolla/.kolla requirements/kolla-collections.txt
	@.ci/venv "$(PYTHON)" build/venv-kolla requirements/kolla-collections.txt
	@touch $@

$(COLLECTION):
	@mkdir -p $(@D) && ln -sfn ../../../.. $@
