# `make help` lists the targets with their times on two cores.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO       ?= go
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
LDFLAGS  := -s -w -X github.com/casino-service/casino/cmd/internal/cli.Version=$(VERSION)
FUZZTIME ?= 15s
SEED     ?=
SEEDS    ?= 400
TOOLS    := $(GO) tool -modfile=test/tools/go.mod

# All targets compile with the same flags, so that they share the build cache: without a C
# compiler, paths of this machine and debug information. PLAIN is compiled without
# optimization, because no request waits for it: gRPC, HTTP/2, BSON and JSON that other
# libraries link and the service never calls; code that runs at the start only (command
# line, wiring, migrations, host names and passwords); traces, process figures and logs.
export CGO_ENABLED ?= 0
PLAIN := $(addsuffix /...,github.com/goccy google.golang.org github.com/grpc-ecosystem go.mongodb.org golang.org/x/net \
  github.com/alecthomas go.uber.org github.com/uptrace/bun/migrate github.com/oasdiff golang.org/x/text \
  go.opentelemetry.io/proto go.opentelemetry.io/otel/exporters/otlp \
  $(addprefix github.com/prometheus/,client_model common procfs client_golang/prometheus/promhttp) \
  github.com/streamingfast github.com/logrusorgru github.com/vmihailenco)
export GOFLAGS := -trimpath -gcflags=all=-dwarf=false $(foreach p,$(PLAIN),'-gcflags=$(p)=-N -l -dwarf=false') $(GOFLAGS)

# GOGC: the services set it for themselves. It saves the compiler of a first build a seventh
# of its work, for a third more memory (0.9 GB), and tests with much garbage a quarter.
GOGC ?= 400

.PHONY: help
help: ## List the targets
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: ## Serve the whole casino on this machine (Ctrl-C ends it) - ready in 2 s once built
	@GOGC=$(GOGC) $(GO) build -ldflags '$(LDFLAGS)' -o bin/casino ./cmd/casino
	@GOGC=$(GOGC) exec bin/casino dev # go run would end with an error on Ctrl-C

.PHONY: demo
demo: ## Play a whole session against a running `make run`, each step checked - 10 s
	$(GO) run -ldflags '$(LDFLAGS)' ./cmd/casino demo

.PHONY: audit
audit: ## Prove the ledger that make run keeps under ./data - 2 s
	$(GO) run -ldflags '$(LDFLAGS)' ./cmd/casino audit

.PHONY: build
build: ## Build the static binary bin/casino - under 90 s cold
	GOGC=$(GOGC) $(GO) build -ldflags '$(LDFLAGS)' -o bin/casino ./cmd/casino

STRANGERS ?= all

.PHONY: strangers
strangers: ## Follow the documents to the letter in fresh clones with nothing compiled, as STRANGERS (all; or embed, call, test, operate, audit) - 8 min
	@test/require-node
	@test/require-python
	@test/require-shell
	CASINO_TEST_STRANGERS=$(STRANGERS) $(GO) test -count=1 -v -timeout 30m -run TestStrangers ./test/documents

.PHONY: release
release: ## Static binaries of VERSION with checksums and bills of materials in bin/release - 7 min cold
	VERSION='$(VERSION)' LDFLAGS='$(LDFLAGS)' test/release bin/release

.PHONY: release-verify
release-verify: ## Build this platform's release twice in different folders and compare byte by byte - 3 min
	VERSION='$(VERSION)' LDFLAGS='$(LDFLAGS)' test/release-verify

# The longest packages begin first, so that both cores have work until the end. Their binaries
# have no symbol tables, which take a sixth of the linking of 127 of them.
LONGEST := $(addprefix ./,adapters/sqlstore test/chaos test/e2e test/sim test/conformance adapters/httpapi cmd/casino)

.PHONY: test
test: ## Every test, installs Node.js, Python, PostgreSQL, Redis, Chromium and SoftHSM if they are missing - 11 to 30 min cold
	@test/require-node
	@test/require-python
	@test/require-shell
	@test/require-services
	@test/require-browser
	@test/require-softhsm
	GOGC=$(GOGC) $(GO) vet ./... # all of it, so that the tests needn't again
	folder=$$(test/temporary); trap 'rm -rf "$$folder"' EXIT; \
	{ CGO_ENABLED=1 $(GO) test -json -count=1 ./adapters/hsm; \
	  GOGC=$(GOGC) CASINO_TEST_NODE=1 CASINO_TEST_PYTHON=1 CASINO_TEST_SIM_SEEDS=60 \
	  $(GO) test -json -ldflags='-s -w' -vet=off -count=1 -timeout 40m -p 3 -exec "env TMPDIR=$$folder" $(LONGEST) ./...; } | $(GO) run ./test/summary

.PHONY: hsm
hsm: ## Sign a payout with a key in a PKCS#11 token (SoftHSM) - 4 min cold
	@test/require-softhsm
	CGO_ENABLED=1 $(GO) test -count=1 -v ./adapters/hsm
	CGO_ENABLED=1 $(GO) test -count=1 -v -run FromAToken ./cmd/casino

.PHONY: kubernetes
kubernetes: ## Validate deploy/kubernetes with the API server's own rules (kubectl-validate) - 5 min cold
	$(GO) tool -modfile=test/tools/kubernetes.mod kubectl-validate --version 1.30 deploy/kubernetes

.PHONY: check
check: ## Vet, format, architecture and every test that needs no service - under 1 min once built
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo 'run gofmt -w on these files'; exit 1; }
	$(GO) vet ./...
	$(GO) test -short -timeout 5m ./...

.PHONY: arch
arch: ## The architecture's rules: imports (depguard) and test/arch - 10 s once built
	$(GO) test -count=1 ./test/arch
	$(TOOLS) golangci-lint run --enable-only depguard ./...

.PHONY: race
race: ## Every test under the race detector - 10 min
	CGO_ENABLED=1 $(GO) test -race -short -timeout 30m ./...

.PHONY: lint
lint: ## golangci-lint, gosec and gitleaks, built from their own module - 5 min cold
	$(TOOLS) golangci-lint run ./...
	# G115: sizes are checked where they come in. G304: files are named by the operator.
	$(TOOLS) gosec -quiet -exclude=G115,G304 -exclude-dir=test ./...
	$(TOOLS) gitleaks dir --no-banner --redact .

.PHONY: lint-api
lint-api: ## Check the contract with Redocly's and Spectral's rules, and play a session with clients of five generators - 5 min
	@test/require-node
	cd test/lint-api && npm ci --ignore-scripts --no-audit --no-fund --silent && npm run --silent lint && npm run --silent generate
	cd test/lint-api/clients/go && $(GO) generate . && $(GO) vet .
	$(GO) build -o bin/casino ./cmd/casino
	test/lint-api/clients/run "$(CURDIR)/bin/casino"

.PHONY: generate
generate: ## Make generated files again: mocks, types and client of the HTTP API, the withdrawal diagram - 20 s
	$(GO) generate ./...

.PHONY: verify
verify: generate web ## Generated files, formatting and go.mod are fresh, and every block of code in the documents holds - 1 min
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	$(GO) mod tidy -diff
	@git diff --exit-code --stat || { echo 'generated files are stale: commit what changed'; exit 1; }
	@test/require-shell
	$(GO) test -count=1 ./test/documents ./adapters/manual

.PHONY: web
web: ## Compile adapters/web with the TypeScript that its lock files pin, where npm is there - 20 s
	@test/build-web

PACKAGE  ?= ./domain
EFFICACY ?= 90

.PHONY: mutate
mutate: ## Plant defects in PACKAGE (./domain) and below, one at a time: its own tests must find EFFICACY (90) percent - hours for all
	$(TOOLS) gremlins unleash --threshold-efficacy $(EFFICACY) --invert-assignments --invert-bitwise --invert-bwassign \
	  --invert-logical --invert-loopctrl --remove-self-assignments '$(PACKAGE)'

.PHONY: fuzz
fuzz: ## Each fuzz target for FUZZTIME (15s) - 3 min
	@grep -rl --include='*_test.go' '^func Fuzz' . | while read -r file; do \
	  for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' "$$file"); do \
	    echo "== $$(dirname $$file) $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) "./$$(dirname $$file)"; \
	  done; done

.PHONY: sim
sim: ## Simulate the whole service with faults; SEED=n replays one, SEEDS=n runs many - 1 min
	CASINO_TEST_SIM_SEED=$(SEED) CASINO_TEST_SIM_SEEDS=$(SEEDS) $(GO) test -count=1 -v -run TestSimulation ./test/sim

RESTORES ?= 500

.PHONY: restore
restore: ## Put older copies of both databases back RESTORES (500) times, at random; SEED=n replays one - 6 min
	@test/require-services
	CASINO_TEST_RESTORE_SEED=$(SEED) CASINO_TEST_RESTORES=$(RESTORES) $(GO) test -count=1 -v -timeout 180m -run TestRestores ./test/restore

VERIFIED ?= 1000000
FORGED   ?= 10000

.PHONY: verifiers
verifiers: ## Check VERIFIED (1,000,000) random rounds and FORGED (10,000) wrong ones with verifiers written from the documents - 5 min
	@test/require-node
	@test/require-python
	CASINO_TEST_NODE=1 CASINO_TEST_PYTHON=1 CASINO_TEST_VERIFIER_ROUNDS=$(VERIFIED) CASINO_TEST_VERIFIER_FORGED=$(FORGED) \
	  $(GO) test -count=1 -timeout 60m ./test/verifiers

STREAMS ?= 100000

.PHONY: streams
streams: ## Check the laws of stepped games on STREAMS (100,000) random streams and lists of actions a game - 5 min
	CASINO_TEST_STREAMS=$(STREAMS) $(GO) test -count=1 -v -timeout 60m -run TestStreams ./test/conformance

CAPTURED ?= 6900

.PHONY: capture
capture: ## Capture CAPTURED (6,900) rounds of every game from casino dev over HTTP and check them without it - 5 min
	CASINO_TEST_CAPTURE_ROUNDS=$(CAPTURED) $(GO) test -count=1 -v -timeout 60m -run TestACaptureIsProvedWithoutTheService ./cmd/casino

ROUNDS ?= 10000

.PHONY: crooked
crooked: ## Play each cheat of a dishonest house, and ROUNDS (10,000) of every game at an honest one, checked by three programs - 45 min
	@test/require-node
	@test/require-python
	CASINO_TEST_NODE=1 CASINO_TEST_PYTHON=1 CASINO_TEST_CROOKED_ROUNDS=$(ROUNDS) $(GO) test -count=1 -v -timeout 180m ./test/crooked

.PHONY: payouts
payouts: ## Run 200 payouts through crashes and faults on Surfpool - 30 s once built
	@test/require-node
	CASINO_TEST_NODE=1 CASINO_TEST_PAYOUTS_ON=surfpool $(GO) test -count=1 -v -timeout 30m -run TestPayoutsLandOnce ./test/onchain

.PHONY: e2e
e2e: ## Drive the pages in a real Chromium, which it installs if missing - 20 s once built
	@test/require-browser
	$(GO) test -count=1 -v -timeout 10m ./test/e2e

AUTO_BETS ?= 1000
FRAMES    ?= 10

.PHONY: page
page: ## Measure the player's page: barriers on all screens, layout shifts, bytes, AUTO_BETS (1,000) bets under cut connections, frames in FRAMES (10) seconds of each view - 25 min
	@test/require-browser
	@test/require-node
	CASINO_TEST_NODE=1 CASINO_TEST_SCREENS=1 CASINO_AUTO_BETS=$(AUTO_BETS) CASINO_TEST_FRAMES=$(FRAMES) $(GO) test -count=1 -v -parallel 1 -timeout 60m \
	  -run 'TestFrames|TestPlayHasNoBarrier|TestNothingShifts|TestTheFirstPaintIsSmall|TestAutoBetPlacesEachBetOnce' ./test/e2e

.PHONY: pictures
pictures: ## Make the pictures in docs/pictures again with the tests that drive the pages - 1 min once built
	@test/require-browser
	@test/require-node
	CASINO_TEST_NODE=1 CASINO_TEST_DRAW='$(CURDIR)/docs/pictures' $(GO) test -count=1 -timeout 10m -run NoBarrier ./test/e2e

KILLS          ?= 25
POSTGRES_KILLS ?= 5
REDIS_FAULTS   ?= 20

.PHONY: chaos
chaos: ## Kill the real binary KILLS times on each database, PostgreSQL and Redis under it, in turn - 5 min
	@test/require-services
	CASINO_TEST_KILLS=$(KILLS) CASINO_TEST_SERVE_KILLS=$(KILLS) CASINO_TEST_POSTGRES_KILLS=$(POSTGRES_KILLS) \
	  CASINO_TEST_SCREENER_KILLS=$(KILLS) CASINO_TEST_SCREENED_SERVE_KILLS=$(POSTGRES_KILLS) \
	  CASINO_TEST_REDIS_FAULTS=$(REDIS_FAULTS) $(GO) test -count=1 -v -timeout 90m ./test/chaos

LOG_KILLS  ?= 10
LOG_BLOCKS ?= 1000

.PHONY: log
log: ## Have a litewitness cosign LOG_BLOCKS (1,000) blocks of the public log while the service is killed LOG_KILLS (10) times - 10 min
	@test/require-services
	CASINO_TEST_LOG_KILLS=$(LOG_KILLS) CASINO_TEST_LOG_BLOCKS=$(LOG_BLOCKS) $(GO) test -count=1 -v -timeout 60m -run TestWitnessedLogUnderKills ./test/chaos

HOOK_KILLS ?= 25

.PHONY: webhooks
webhooks: ## Kill casino dev, and HOOK_KILLS (25) times two instances on PostgreSQL and PostgreSQL 5 times (as root), under agents' own servers that fail half of their answers - 5 min
	@test/require-services
	CASINO_TEST_HOOK_KILLS=$(HOOK_KILLS) $(GO) test -count=1 -v -timeout 60m -run WebhooksThroughKills ./test/chaos

ROUND_KILLS ?= 1000

.PHONY: kills-rounds
kills-rounds: ## Kill the real binary ROUND_KILLS (1,000) times on each database while rounds are played step by step; SEED=n - 30 min
	@test/require-services
	CASINO_TEST_ROUND_KILLS=$(ROUND_KILLS) CASINO_TEST_ROUND_SEED=$(SEED) $(GO) test -count=1 -v -timeout 180m -run TestKilledWithOpenRounds ./test/chaos

CRASH_KILLS          ?= 200
CRASH_POSTGRES_KILLS ?= 20

.PHONY: kills-crash
kills-crash: ## Kill the instance that drives the shared crash CRASH_KILLS (200) times, in each state of a round, and PostgreSQL CRASH_POSTGRES_KILLS (20) times - 50 min
	@test/require-services
	CASINO_TEST_CRASH_KILLS=$(CRASH_KILLS) CASINO_TEST_CRASH_POSTGRES_KILLS=$(CRASH_POSTGRES_KILLS) $(GO) test -count=1 -v -timeout 180m -run TestCrashUnderKills ./test/chaos

HEARD_KILLS ?= 25
HEARD_POSTGRES_KILLS ?= 5

.PHONY: heard
heard: ## Kill two instances HEARD_KILLS (25) times and PostgreSQL HEARD_POSTGRES_KILLS (5) times: listeners, killed too, know every balance - 3 min
	@test/require-services
	CASINO_TEST_HEARD_KILLS=$(HEARD_KILLS) CASINO_TEST_HEARD_POSTGRES_KILLS=$(HEARD_POSTGRES_KILLS) $(GO) test -count=1 -v -timeout 60m -run TestHeardUnderKills ./test/chaos

ALARMS ?= 200

.PHONY: alarms
alarms: ## Begin and end ALARMS (200) troubles under two killed instances on both databases: each is one alarm; SEED=n - 2 min
	@test/require-services
	CASINO_TEST_ALARMS=$(ALARMS) CASINO_TEST_ALARMS_SEED=$(SEED) $(GO) test -count=1 -v -timeout 60m -run TestOneAlarmUnderTwoInstances ./test/scenario

CITUS_KILLS ?= 2

.PHONY: citus
citus: ## Run the ports' suites, the first start, CITUS_KILLS (2) kills of each part and casino bench on clusters of Citus, in TURNS (3) with one PostgreSQL - 40 min
	@test/require-services
	@test/require-citus
	CASINO_TEST_CITUS=1 CASINO_TEST_CITUS_KILLS=$(CITUS_KILLS) CASINO_TEST_ROUND_KILLS=$(CITUS_KILLS) $(GO) test -count=1 -v -timeout 120m -p 1 \
	  -run 'Citus|TestKilledWithOpenRounds/Citus' ./adapters/sqlstore ./cmd/casino ./test/chaos
	CASINO_TEST_CITUS=1 CASINO_BENCH_TURNS=$(TURNS) CASINO_BENCH_SECONDS=$(EACH) \
	  $(GO) test -run '^$$' -bench Citus -benchtime 1x -timeout 60m ./test/load

FAILOVERS ?= 100

.PHONY: failovers
failovers: ## Kill the primary and promote its synchronous standby FAILOVERS (100) times under the real binary - 30 min
	@test/require-services
	CASINO_TEST_FAILOVERS=$(FAILOVERS) $(GO) test -count=1 -v -timeout 180m -run TestServeThroughFailovers ./test/chaos

CALM ?= 7200

.PHONY: calm
calm: ## Run two instances for CALM (7200) seconds through kills, failovers, upgrades and lost witnesses: none may close them - 2 h
	@test/require-services
	CASINO_TEST_CALM=$(CALM) $(GO) test -count=1 -v -timeout 0 -run TestNothingButALossCloses ./test/chaos

STARVE ?= 15

.PHONY: starve
starve: ## Flood the real binary on both databases, STARVE (15) seconds and more each: all others are served - 10 min
	@test/require-services
	ulimit -n $$(ulimit -Hn); CASINO_TEST_STARVE=$(STARVE) $(GO) test -count=1 -v -timeout 60m -run TestNothingStarves ./test/chaos

TURNS ?= 3
EACH  ?= 5
PROFILE ?=

.PHONY: bench
bench: ## Bets per second over HTTP on both databases, TURNS (3) turns with one bet a transaction and with pgbench, and the domain alone; one table at the end - 6 min
	@test/require-services
	$(GO) test -run '^$$' -bench 'Decide|HMAC|Dice' -benchmem ./domain/...
	CASINO_BENCH_POSTGRES=1 CASINO_BENCH_TURNS=$(TURNS) CASINO_BENCH_SECONDS=$(EACH) \
	  $(GO) test -run '^$$' -bench 'SQLite|Postgres' -benchtime 1x -timeout 60m ./test/load

.PHONY: bench-postgres
bench-postgres: ## Bets per second of casino serve over HTTP on PostgreSQL, TURNS (3) turns with pgbench; PROFILE=folder takes profiles - 3 min
	@test/require-services
	CASINO_BENCH_POSTGRES=1 CASINO_BENCH_TURNS=$(TURNS) CASINO_BENCH_SECONDS=$(EACH) CASINO_BENCH_PROFILE=$(abspath $(PROFILE)) \
	  $(GO) test -run '^$$' -bench Postgres -benchtime 1x -timeout 60m ./test/load

GROWN ?= 1000000

.PHONY: bench-growth
bench-growth: ## Bets per second of casino serve on PostgreSQL after 100,000 rounds and up to GROWN (1,000,000), TURNS (3) loads of EACH (5) seconds; PROFILE=folder takes profiles - 4 min
	@test/require-services
	CASINO_BENCH_POSTGRES=1 CASINO_BENCH_ROUNDS=$(GROWN) CASINO_BENCH_TURNS=$(TURNS) CASINO_BENCH_SECONDS=$(EACH) CASINO_BENCH_PROFILE=$(abspath $(PROFILE)) \
	  $(GO) test -run '^$$' -bench Growth -benchtime 1x -timeout 60m ./test/load

.PHONY: bench-listeners
bench-listeners: ## The cost and delay of 1,000 listening players at casino serve on PostgreSQL, TURNS (3) turns; PROFILE=folder takes profiles - 3 min
	@test/require-services
	CASINO_BENCH_POSTGRES=1 CASINO_BENCH_TURNS=$(TURNS) CASINO_BENCH_SECONDS=$(EACH) CASINO_BENCH_PROFILE=$(abspath $(PROFILE)) \
	  $(GO) test -run '^$$' -bench Listeners -benchtime 1x -timeout 60m ./test/load

.PHONY: bench-reads
bench-reads: ## Reads per second of 64 clients at casino serve on PostgreSQL, by endpoint, TURNS (3) turns; PROFILE=folder takes profiles - 7 min
	@test/require-services
	CASINO_BENCH_POSTGRES=1 CASINO_BENCH_TURNS=$(TURNS) CASINO_BENCH_SECONDS=$(EACH) CASINO_BENCH_PROFILE=$(abspath $(PROFILE)) \
	  $(GO) test -run '^$$' -bench Reads -benchtime 1x -timeout 60m ./test/load

.PHONY: bench-credits
bench-credits: ## Admins' credits per second of 32 clients at casino serve on PostgreSQL, after 50, 3,000 and 8,000 credits of the day; PROFILE=folder takes profiles - 2 min
	@test/require-services
	CASINO_BENCH_POSTGRES=1 CASINO_BENCH_PROFILE=$(abspath $(PROFILE)) \
	  $(GO) test -run '^$$' -bench Credits -benchtime 1x -timeout 60m ./test/load

.PHONY: bench-room
bench-room: ## The cost for 200 wallets to fill the room of stepped games at casino dev, and how an admin empties it - 2 min
	$(GO) test -run '^$$' -bench FullRoom -benchtime 1x -timeout 20m ./test/load

LISTS ?= 10000000

.PHONY: bench-solvency bench-receipts
bench-receipts: ## Bets per second of casino serve on PostgreSQL with and without receipts, TURNS (3) turns; BEFORE=binary measures another version beside it - 3 min
	@test/require-services
	CASINO_BENCH_POSTGRES=1 CASINO_BENCH_TURNS=$(TURNS) CASINO_BENCH_SECONDS=$(EACH) CASINO_BENCH_BEFORE=$(abspath $(BEFORE)) \
	  $(GO) test -run '^$$' -bench Receipts -benchtime 1x -timeout 60m ./test/load

bench-solvency: ## Seconds and bytes of a snapshot of what is owed to 100,000 players, on PostgreSQL - 1 min
	@test/require-services
	CASINO_BENCH_POSTGRES=1 $(GO) test -run '^$$' -bench Solvency -benchtime 3x -timeout 60m ./test/load

.PHONY: bench-lists
bench-lists: ## The cost of lists and reports with LISTS (10,000,000) rounds against 10,000, 8 GB of disk - 5 min
	@test/require-services
	GOGC=$(GOGC) CASINO_BENCH_POSTGRES=1 CASINO_BENCH_ROUNDS=$(LISTS) $(GO) test -run '^$$' -bench Lists -benchtime 1x -timeout 60m ./test/load

AUDITED ?= 1000000

.PHONY: bench-audit
bench-audit: ## Time and memory of casino audit for AUDITED (1,000,000) rounds on both databases, whole and from a checkpoint; PLAYERS=n - 10 min
	@test/require-services
	CASINO_BENCH_POSTGRES=1 CASINO_BENCH_ROUNDS=$(AUDITED) CASINO_BENCH_PLAYERS=$(PLAYERS) $(GO) test -run '^$$' -bench Audit -benchtime 1x -timeout 240m ./test/load

ROUNDS ?= 200000

.PHONY: bench-bytes
bench-bytes: ## Bytes of ROUNDS (200,000) rounds on both databases, by table and index - 5 min
	@test/require-services
	$(GO) test -run '^$$' -bench Bytes -benchtime $(ROUNDS)x -timeout 60m ./adapters/sqlstore

.PHONY: bench-crash
bench-crash: ## 2,000 players and 10,000 listeners of a round of the shared crash at two instances, and dice beside it - 5 min
	$(GO) test -run '^$$' -bench 'Crash$$' -benchtime 1x -timeout 60m ./test/chaos

.PHONY: bench-instances
bench-instances: ## Bets per second of one, two and four instances on one PostgreSQL, their batches and lock waits - 3 min
	@test/require-services
	$(GO) test -run '^$$' -bench Instances -benchtime 1x ./test/chaos
