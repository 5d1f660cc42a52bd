# Ontogate's tasks. "make help" lists them. "run", "build" and "test" need Go and git;
# "lint", "fuzz", "dist", "mcpb" and "deploy-dist" also the tools of any POSIX system (grep,
# xargs, gzip, split); "race" a C compiler, "e2e" that and Node.js, "bundle-check" Node.js,
# "deploy" the Databricks CLI. "check" installs what is missing where apt-get works.

GO          ?= go
VERSION     ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
VERSION     := $(VERSION)
LDFLAGS     := -s -w -X main.version=$(VERSION)
BUILD       := CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)'
# Release 2026.2.2, by its module version: not every proxy resolves the other name.
STATICCHECK := $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
PLATFORMS   := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
FUZZTIME    ?= 2m
BENCH       ?= .
BENCHFLAGS  ?=
ADDR        ?= 127.0.0.1:9100
# As in examples/customer360/domain.yaml.
ACTIONS     := 127.0.0.1:9101
TARGET      ?= dev
APP         ?= dist/app
DIST        ?= dist
EPOCH       ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

# The programs of all platforms, and what packs them.
PROGRAMS    = set -e; rm -rf $(DIST)/build $(DIST)/ontogate_* $(DIST)/SHA256SUMS $(DIST)/server.json; \
	for platform in $(PLATFORMS); do \
		os=$${platform%/*}; arch=$${platform\#*/}; file=ontogate; \
		if [ $$os = windows ]; then file=ontogate.exe; fi; \
		GOOS=$$os GOARCH=$$arch $(BUILD) -o $(DIST)/build/$${os}_$$arch/$$file ./cmd/ontogate; \
	done
PACK        = $(GO) run ./deploy/pack -version $(VERSION) -epoch $(EPOCH) -programs $(DIST)/build -host bin/ontogate -out $(DIST)

.PHONY: help run build test check lint race whole e2e tools cross bench gobench fuzz dist mcpb bundle-check deploy-dist deploy samples docs clean

help: ## lists the tasks
	@while IFS= read -r line; do case $$line in \
		[a-z]*:*'## '*) printf '%-12s %s\n' "$${line%%:*}" "$${line#*'## '}";; \
	esac; done < Makefile

# The samples have functions, which examples/actions answers on ACTIONS. Ctrl-C reaches
# both programs, and the server may take its time to end; SIGTERM is passed on. While
# another program has ACTIONS, the server runs and the functions fail.
run: build ## builds, then serves the sample domains on ADDR (127.0.0.1:9100)
	@$(GO) build -trimpath -o bin/actions ./examples/actions
	@bin/actions -addr $(ACTIONS) & actions=$$!; \
	bin/ontogate serve --addr $(ADDR) --allow-action-host $(ACTIONS) & server=$$!; \
	trap : INT; trap "kill $$server" TERM; \
	wait $$server; status=$$?; \
	while kill -0 $$server 2>/dev/null; do wait $$server; status=$$?; done; \
	kill $$actions 2>/dev/null; wait $$actions; exit $$status

build: ## builds bin/ontogate, one static file
	$(BUILD) -o bin/ontogate ./cmd/ontogate

test: ## runs the tests that need Go alone; the others skip and say why
	$(GO) test ./...
	@echo "Left out: the tests with real clients, which need Node.js and a C compiler (make e2e);"
	@echo "tests whose data is not there are skipped (go test -v ./... says which and why)."

check: tools lint build race whole e2e bundle-check cross ## everything that CI runs; with CI set, a test that would skip fails

lint: ## gofmt, go vet and staticcheck
	@bad=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l); \
	if [ -n "$$bad" ]; then echo "gofmt would change:"; echo "$$bad"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags e2e ./...
	$(STATICCHECK) ./...
	$(STATICCHECK) -tags e2e ./...

# The race detector needs a C compiler. Data in ../shared is outside what the test
# cache looks at, hence -count=1.
race: ## runs all tests under the race detector
	CGO_ENABLED=1 $(GO) test -race -count=1 -timeout 15m ./...

# The race detector makes each round of a test several times slower and looks at how
# goroutines meet, so that tests of values run a part of their rounds under it
# (domaintest.Rounds and Race).
whole: ## runs the tests of which race runs a part, without the race detector
	$(GO) test -count=1 ./graphql ./domains/rdfgraph

# The tests build the program with the race detector as they are built themselves.
e2e: ## runs the tests with real clients under the race detector; needs Node.js
	CGO_ENABLED=1 $(GO) test -race -tags e2e -count=1 -timeout 15m ./server/e2e/...

tools: ## installs a C compiler and Node.js where they are missing
	@.ci/tools

cross: ## builds for the systems that CI does not run on
	GOOS=darwin GOARCH=arm64 $(BUILD) -o bin/cross/ontogate ./cmd/ontogate
	GOOS=windows GOARCH=amd64 $(BUILD) -o bin/cross/ontogate.exe ./cmd/ontogate

# The largest graph takes about 1.5 GB of memory, and all of them 2 GB of disk below
# TMPDIR. serdi, rapper and Node.js are compared with where they are installed.
bench: ## measures all and writes docs/performance.*; BENCHFLAGS=-quick takes a minute
	$(GO) run ./cmd/bench $(BENCHFLAGS)

gobench: ## runs the Go benchmarks whose names match BENCH
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./...

# Without a limit of its own, minimising an input may take a minute in which nothing
# new is tried.
fuzz: ## runs each fuzz test for FUZZTIME (2m)
	@for package in $$($(GO) list ./...); do \
		names=$$($(GO) test -list '^Fuzz' $$package) || exit 1; \
		for name in $$(echo "$$names" | grep '^Fuzz'); do \
			echo "$$package $$name"; \
			$(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package || exit 1; \
		done; \
	done

dist: build ## writes an archive for each platform to dist/, the .mcpb and SHA256SUMS
	@$(PROGRAMS)
	@$(PACK) -archives

mcpb: build ## writes the desktop extension to dist/, and server.json for the MCP registry
	@$(PROGRAMS)
	@$(PACK)

# Packs for one platform; the schemas are in packages that are installed before.
bundle-check: ## packs for linux/amd64, holds the packages to their schemas and uses them
	$(GO) test -tags e2e -count=1 -timeout 5m -run '^TestPackages' ./deploy

# Databricks refuses larger files, so stage.sh compresses the program and cuts it.
deploy-dist: ## stages the Databricks App in APP (dist/app), each file under 10 MB
	GOOS=linux GOARCH=amd64 $(BUILD) -o $(APP)-program ./cmd/ontogate
	@deploy/stage.sh $(APP)-program $(APP)
	@rm $(APP)-program

deploy: ## deploys the Databricks App as TARGET (dev); needs the Databricks CLI
	@deploy/ready.sh
	@$(MAKE) --no-print-directory deploy-dist APP=dist/app
	cd deploy && databricks bundle deploy --target $(TARGET)
	cd deploy && databricks bundle run --target $(TARGET) mcp_ontogate

samples: ## writes the sample domains again
	$(GO) run ./examples/generate -out examples

docs: ## writes the generated pages in docs/ again
	$(GO) test ./cmd/... ./server ./domains/rdfgraph -run 'Docs|Reference' -update

clean: ## removes what the other tasks built
	rm -rf bin dist
