package load_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/casino-service/casino/test/services"
)

// The size of the measurement of reads: the number of rounds of the other benchmarks' players,
// and the number of admins, each with several open pages.
const (
	playedBefore  = 100_000
	adminsMade    = 8
	readers       = 64
	filtersAtOnce = 32
)

// BenchmarkReads measures reads by 64 clients of `casino serve` on PostgreSQL, one endpoint at a
// time: those of a player's page, those of an admin's, and lists that each have a different
// filter.
func BenchmarkReads(b *testing.B) {
	cluster := benchCluster(b)
	profiler := newProfiler(b, cluster)
	database := (pgbench{B: b}).beside(cluster.URL(), "casino")
	p := startServe(b, database.url)
	profiler.operations = p.operations
	sessions := p.enroll(playersMade)
	admins := p.promote(sessions)
	for wanted := int64(playedBefore); wanted > 0; {
		wanted -= p.load("--sessions-file", sessions, "--clients", strconv.Itoa(readers), "--mix", "play=1").Sent
	}
	groups := map[string][]int{"service": {p.pid}, "database": {database.postmaster()}}
	for b.Loop() {
		t := newTable()
		for range turns(b) {
			for _, path := range []string{"/balance", "/seed", "/history", "/account/transactions", "/seed/history", "/account/limits"} {
				p.reads(t, profiler, groups, path, sessions, path+"=1")
			}
			for _, path := range []string{
				"/admin/me", "/admin/games", "/admin/overview", "/admin/audit", "/admin/players", "/admin/transactions",
				"/admin/approvals", "/admin/metrics/rtp", "/admin/metrics/ggr-daily", "/admin/legacy/agents", "/admin/roles",
			} {
				p.reads(t, profiler, groups, path, admins, path+"=1")
			}
			for _, path := range []string{"/admin/games", "/admin/audit", "/admin/players", "/admin/transactions"} {
				p.reads(t, profiler, groups, path+", 32 ways", admins, filters(path))
			}
		}
		fmt.Print(t.String()) // a benchmark's log ends after ten lines
	}
	b.ReportMetric(0, "ns/op")
}

// filters returns queries of a list that are all different.
func filters(path string) string {
	var mix []string
	for n := range filtersAtOnce {
		mix = append(mix, fmt.Sprintf("%s?limit=%d=1", path, 10+n))
	}
	return strings.Join(mix, ",")
}

// reads measures one endpoint.
func (p *product) reads(t *table, profiler *profiler, groups map[string][]int, name, sessions, mix string) {
	p.Helper()
	arguments := []string{"--sessions-file", sessions, "--clients", strconv.Itoa(readers), "--warmup", "1s", "--mix", mix}
	if strings.HasPrefix(name, "/admin/") {
		arguments = append(arguments, "--shared-players") // each admin has several pages open
	}
	meter := services.NewMeter(groups)
	result := profiler.during(strings.ReplaceAll(strings.Trim(name, "/"), "/", "-"), func() measurement { return p.load(arguments...) })
	t.costs(name, meter.Each(float64(result.Sent)))
	t.result(name, result)
}

// promote makes the first players admins, and returns a file with their sessions, each as often
// as clients need it.
func (p *product) promote(sessions string) (admins string) {
	p.Helper()
	file, err := os.Open(sessions) //nolint:gosec // the benchmark's own
	noError(p, err)
	defer func() { _ = file.Close() }()
	var all []string
	for lines := bufio.NewScanner(file); len(all) < adminsMade && lines.Scan(); {
		all = append(all, lines.Text())
	}
	for _, bearer := range all {
		p.run("role", "grant", p.walletOf(bearer), "admin")
	}
	p.write("admins", strings.Join(slices.Repeat(all, readers/adminsMade), "\n"))
	return filepath.Join(p.folder, "admins")
}

// walletOf returns the wallet of a bearer token's session.
func (p *product) walletOf(bearer string) string {
	p.Helper()
	var claims struct {
		Subject string `json:"sub"`
	}
	text, err := base64.RawURLEncoding.DecodeString(strings.Split(bearer, ".")[1])
	if err == nil {
		err = json.Unmarshal(text, &claims)
	}
	if err != nil || claims.Subject == "" {
		p.Fatalf("a session that tells no wallet: %v", err)
	}
	return claims.Subject
}
