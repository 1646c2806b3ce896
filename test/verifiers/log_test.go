package verifiers_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// published returns the newest checkpoint, after it was signed and cosigned.
func (s *seat) published() string {
	s.Helper()
	for more := true; more; {
		var err error
		more, err = s.casino.HeadLog.Step(s.Context())
		noError(s.T, err)
	}
	for _, w := range s.casino.HeadLog.WitnessWorkers() {
		_, err := w.Step(s.Context())
		noError(s.T, err)
	}
	_, checkpoint := s.ask(http.MethodGet, "/public/log/1/checkpoint", "")
	return string(checkpoint) + "\n"
}

// logged returns the answer of a bet with a proof that the log has it.
func (s *seat) logged(answer []byte) []byte {
	s.Helper()
	var round struct{ Round struct{ ID string } }
	noError(s.T, json.Unmarshal(answer, &round))
	code, proof := s.ask(http.MethodGet, "/history/"+round.Round.ID+"/proof?log=true", "")
	if code != http.StatusOK || !bytes.Contains(proof, []byte(`"checkpoint":`)) {
		s.Fatalf("%d %s", code, proof)
	}
	before, _, _ := bytes.Cut(answer, []byte(`"receipt":`))
	return slices.Concat(before, bytes.TrimPrefix(proof, []byte("{")))
}

// bet plays a coin flip.
func (s *seat) bet() []byte {
	s.Helper()
	return s.kept("/play", fmt.Sprintf(`{"gameType": "coinflip", "wager": 1000, "token": %q}`, money.SOL))
}

// saved saves the published log of a service in a folder.
func (s *seat) saved() string {
	s.Helper()
	folder := s.TempDir()
	checkpoint := s.published()
	save(s.T, folder, "checkpoint", []byte(checkpoint))
	tile := "tile/0/000.p/" + strings.Split(checkpoint, "\n")[1]
	_, hashes := s.ask(http.MethodGet, "/public/log/1/"+tile, "")
	save(s.T, folder, tile, hashes)
	return folder
}

func save(t *testing.T, folder, path string, text []byte) {
	t.Helper()
	path = filepath.Join(folder, filepath.FromSlash(path))
	noError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	noError(t, os.WriteFile(path, text, 0o600))
}

// The three verifiers follow receipts to the log of a service, over HTTP, and find that it
// extends what they saw before and that a witness cosigned it.
func TestTheLogIsVerified(t *testing.T) {
	t.Parallel()
	s := sit(t)
	var receipts [][]byte
	var checkpoints strings.Builder
	for range 3 {
		answer := s.bet()
		checkpoints.WriteString(s.published())
		receipts = append(receipts, s.logged(answer))
	}
	s.bet()
	folder := s.saved()
	server := httptest.NewServer(s.api)
	t.Cleanup(server.Close)
	e := evidence{
		keys: s.keys, log: server.URL + httpapi.BasePathDefault + "/public/log/1", folder: folder,
		checkpoints: checkpoints.String(), witnesses: s.witness.Verifier().String() + "\n",
	}
	if got := e.verdict(t); got.printed != "4 of 4 checkpoints are verified\n" {
		t.Errorf("checkpoints: %d %s", got.code, got.printed)
	}
	e.receipts = receipts
	if got := e.verdict(t); got.printed != "3 of 3 receipts are verified\n" {
		t.Errorf("receipts: %d %s", got.code, got.printed)
	}
	if got := (evidence{keys: s.keys, receipts: append(receipts, s.bet())}).verdict(t); got.printed != "4 of 4 receipts are verified\n" {
		t.Errorf("receipts alone: %d %s", got.code, got.printed)
	}
}

// logEntry is an entry of a log that the tests build.
func logEntry(n int64, fork int64) []byte {
	if n >= fork {
		return fmt.Appendf(nil, "fork %d", n)
	}
	return fmt.Appendf(nil, "entry %d", n)
}

// A builtLog is a log that the service's key signs, by another implementation of trees.
type builtLog struct {
	*testing.T
	origin string
	size   int64
	stored []tlog.Hash
}

func (b *builtLog) ReadHashes(indexes []int64) (found []tlog.Hash, _ error) {
	for _, i := range indexes {
		found = append(found, b.stored[i])
	}
	return found, nil
}

// buildLog builds a log that has other entries from fork on.
func buildLog(t *testing.T, origin string, size, fork int64) *builtLog {
	t.Helper()
	b := &builtLog{T: t, origin: origin}
	for n := range size {
		b.add(logEntry(n, fork))
	}
	return b
}

func (b *builtLog) add(entry []byte) {
	b.Helper()
	stored, err := tlog.StoredHashes(b.size, entry, b)
	noError(b.T, err)
	b.stored = append(b.stored, stored...)
	b.size++
}

// checkpoint returns the signed checkpoint of the first entries.
func (b *builtLog) checkpoint(size int64, key ed25519.PrivateKey) string {
	b.Helper()
	root, err := tlog.TreeHash(size, b)
	noError(b.T, err)
	return signedNote(b.T, b.origin, fmt.Sprintf("%s\n%d\n%s\n", b.origin, size, root), key)
}

// signedNote signs a text as a note.
func signedNote(t *testing.T, name, text string, key ed25519.PrivateKey) string {
	t.Helper()
	public, _ := key.Public().(ed25519.PublicKey)
	encoded, err := note.NewEd25519VerifierKey(name, public)
	noError(t, err)
	verifier, err := note.NewVerifier(encoded)
	noError(t, err)
	id := verifier.KeyHash()
	signature := append([]byte{byte(id >> 24), byte(id >> 16), byte(id >> 8), byte(id)}, ed25519.Sign(key, []byte(text))...)
	return text + "\n— " + name + " " + base64.StdEncoding.EncodeToString(signature) + "\n"
}

// save saves the first entries as a published log.
func (b *builtLog) save(size int64, key ed25519.PrivateKey) (folder string) {
	b.Helper()
	folder = b.TempDir()
	save(b.T, folder, "checkpoint", []byte(b.checkpoint(size, key)))
	for _, tile := range tlog.NewTiles(8, 0, size) {
		data, err := tlog.ReadTileData(tile, b)
		noError(b.T, err)
		save(b.T, folder, "tile/"+strings.TrimPrefix(tile.Path(), "tile/8/"), data)
	}
	return folder
}

// serviceKey signs what fakes.StatementSigner does.
func serviceKey() ed25519.PrivateKey { return fakes.Key("statements fake") }

const someOrigin = "casino/" + ledgerID + "/1"

// logKeys returns an answer of GET /public/keys with the keys of origins.
func logKeys(t *testing.T, origins ...string) []byte {
	t.Helper()
	var log []string
	for _, origin := range origins {
		public, _ := serviceKey().Public().(ed25519.PublicKey)
		key, err := note.NewEd25519VerifierKey(origin, public)
		noError(t, err)
		log = append(log, key)
	}
	answer, err := json.Marshal(map[string]any{"keys": []any{}, "log": log})
	noError(t, err)
	return answer
}

// Checkpoints of many sizes are compared with a large log, and those of a fork are found. Both
// logs are those of another implementation.
func TestForkedLogsAreFound(t *testing.T) {
	t.Parallel()
	const seed, most = 39, 66_000 // three levels of tiles
	random := rand.New(rand.NewPCG(seed, seed))
	honest := buildLog(t, someOrigin, most, most)
	published := honest.save(most, serviceKey())
	sizes := []int64{1, 2, 3, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, most - 1, most}
	for range 60 {
		sizes = append(sizes, 1+random.Int64N(most))
	}
	e := evidence{keys: logKeys(t, someOrigin), log: published}
	for _, size := range sizes {
		e.checkpoints += honest.checkpoint(size, serviceKey())
	}
	if got, want := e.verdict(t), fmt.Sprintf("%d of %[1]d checkpoints are verified\n", len(sizes)+1); got.printed != want {
		t.Errorf("seed %d: %q, want %q", seed, got.printed, want)
	}
	for _, fork := range []int64{0, 300, random.Int64N(most)} {
		forked := buildLog(t, someOrigin, most, fork)
		var want strings.Builder
		seen := map[int64]bool{most: true}
		e.checkpoints = ""
		for _, size := range sizes {
			e.checkpoints += forked.checkpoint(size, serviceKey())
		}
		for i, size := range sizes {
			if size == most {
				fmt.Fprintf(&want, "--log and checkpoint %d: two histories: the checkpoints of %d entries have different roots\n", i+1, most)
			}
		}
		for i, size := range sizes {
			if size > fork && !seen[size] {
				fmt.Fprintf(&want, "checkpoint %d and --log: two histories: the checkpoint of %d entries does not extend the one of %d\n", i+1, most, size)
			}
			seen[size] = true
		}
		fmt.Fprintf(&want, "%d of %[1]d checkpoints are verified\n", len(sizes)+1)
		if got := e.verdict(t); got.printed != want.String() || got.code != 1 {
			t.Errorf("seed %d, fork at %d: %s", seed, fork, firstDifference(got.printed, want.String()))
		}
	}
	// The service shows the tile of a fork below the honest tile of the next level.
	mixed := evidence{keys: logKeys(t, someOrigin), log: honest.save(512, serviceKey())}
	forked := buildLog(t, someOrigin, 512, 100)
	mixed.checkpoints = forked.checkpoint(200, serviceKey())
	save(t, mixed.log, "tile/0/000", read(t, forked.save(512, serviceKey()), "tile/0/000"))
	const want = "--log: log: the tiles do not lead to the root of 512 entries\n2 of 2 checkpoints are verified\n"
	if got := mixed.verdict(t); got.printed != want {
		t.Errorf("mixed tiles: %s", got.printed)
	}
	// Logs of small sizes, with all earlier ones.
	for _, size := range []int64{1, 2, 3, 5, 6, 7, 13} {
		e := evidence{keys: logKeys(t, someOrigin), log: honest.save(size, serviceKey())}
		var want strings.Builder
		forked := buildLog(t, someOrigin, size, size/2)
		for old := int64(1); old < size; old++ {
			e.checkpoints += honest.checkpoint(old, serviceKey())
		}
		for old := size/2 + 1; old < size; old++ {
			e.checkpoints += forked.checkpoint(old, serviceKey())
			fmt.Fprintf(&want, "checkpoint %d and checkpoint %d: two histories: the checkpoints of %d entries have different roots\n", old, size-1+old-size/2, old)
		}
		fmt.Fprintf(&want, "%d of %[1]d checkpoints are verified\n", size+max(0, size-1-size/2))
		if got := e.verdict(t); got.printed != want.String() {
			t.Errorf("%d entries: %s, want\n%s", size, got.printed, want.String())
		}
	}
}

// A forgery is a service's log, with what a player kept of it.
type forgery struct {
	*seat
	folder, size, tile string
	answers            [][]byte
	before             string   // a checkpoint of two entries less
	lines              []string // its lines
	seen               map[string]int
}

func openForgery(t *testing.T) forgery {
	t.Helper()
	s := sit(t)
	first := s.bet()
	before := s.published()
	second := s.bet()
	f := forgery{seat: s, folder: s.saved(), before: before, lines: strings.SplitAfter(before, "\n"), seen: map[string]int{}}
	f.answers = [][]byte{s.logged(first), s.logged(second)}
	f.size = strings.Split(string(read(t, f.folder, "checkpoint")), "\n")[1]
	f.tile = "tile/0/000.p/" + f.size
	return f
}

// kept returns what the player kept, in order. Its log is a copy.
func (f forgery) kept() evidence {
	e := evidence{keys: f.keys, log: f.TempDir(), receipts: slices.Clone(f.answers), checkpoints: f.before, witnesses: f.witness.Verifier().String() + "\n"}
	for _, path := range []string{"checkpoint", f.tile} {
		save(f.T, e.log, path, read(f.T, f.folder, path))
	}
	return e
}

// says fails unless the verifiers print the findings, which the manual has.
func (f forgery) says(name string, e evidence, findings ...string) {
	f.Helper()
	got := e.verdict(f.T)
	printed := strings.Split(strings.TrimSpace(got.printed), "\n")
	printed = printed[:len(printed)-1] // the count
	if !slices.Equal(printed, findings) || (got.code == 0) != (len(findings) == 0) {
		f.Errorf("%s: exit code %d\n%s\nwant\n%s", name, got.code, got.printed, strings.Join(findings, "\n"))
	}
	for _, line := range printed {
		if _, finding, found := strings.Cut(line, ": "); found {
			f.seen[documentedLogFinding(f.T, finding)]++
		}
	}
}

// Each defect of a checkpoint, a proof or a tile is found by all three, for the same reason,
// which the manual has.
func TestForgedLogsAreRefused(t *testing.T) {
	t.Parallel()
	f := openForgery(t)
	f.says("in order", f.kept())
	f.proofs()
	f.checkpoints()
	f.histories()
	for _, finding := range documentedLogFindings(t) {
		if f.seen[finding] == 0 {
			t.Errorf("nothing was refused for %q", finding)
		}
	}
}

const (
	formFinding, unsignedFinding = "log: the checkpoint has another form", "log: no key of the log signed the checkpoint"
	noWitnessFinding             = "log: no witness cosigned the checkpoint"
	otherLedger, otherEpoch      = "casino/another/1", "casino/" + ledgerID + "/2"
)

var noRoot = base64.StdEncoding.EncodeToString(make([]byte, 32))

// signed signs a checkpoint with the service's key.
func (f forgery) signed(origin, size, root string) string {
	return signedNote(f.T, origin, origin+"\n"+size+"\n"+root+"\n", serviceKey())
}

// proofs forges the proofs of receipts.
func (f forgery) proofs() {
	const noProof, noBlock = "log: the answer has no proof for the log", "log: the log does not have the block"
	path := func(change func(path []any) []any) func(map[string]any) {
		return func(log map[string]any) { log["path"] = change(log["path"].([]any)) }
	}
	set := func(name string, value any) func(map[string]any) {
		return func(log map[string]any) { log[name] = value }
	}
	e := f.kept()
	e.keys = bytes.Replace(e.keys, []byte(`"log":[`), []byte(`"log":["`+keyOf(f.T, otherLedger)+`",`), 1)
	e.receipts, e.witnesses = nil, ""
	var want []string
	for _, c := range []struct {
		change  func(log map[string]any)
		finding string
	}{
		{func(log map[string]any) { delete(log, "index") }, noProof}, {set("index", -1), noProof}, {set("index", "x"), noProof},
		{func(log map[string]any) { delete(log, "path") }, noProof}, {set("path", "x"), noProof},
		{path(func(p []any) []any { return append([]any{"A"}, p[1:]...) }), noProof},
		{func(log map[string]any) { delete(log, "checkpoint") }, formFinding}, {set("checkpoint", -1), formFinding},
		{set("index", 0), noBlock}, {set("index", 1<<40), noBlock}, {set("index", f.size), noBlock},
		{path(func(p []any) []any { return p[1:] }), noBlock}, {path(func(p []any) []any { return p[:len(p)-1] }), noBlock},
		{path(func(p []any) []any { return append(p, noRoot) }), noBlock},
		{path(func(p []any) []any { return append([]any{noRoot}, p[1:]...) }), noBlock},
		{set("checkpoint", f.before), noBlock},
		{set("checkpoint", f.signed(otherLedger, f.size, noRoot)), "log: the checkpoint is of another ledger"},
		{func(log map[string]any) {
			text, _, _ := strings.Cut(log["checkpoint"].(string), "\n\n")
			log["checkpoint"] = signedNote(f.T, someOrigin, text+"\n", fakes.Key("mallory"))
		}, unsignedFinding},
	} {
		e.receipts = append(e.receipts, changedLog(f.T, f.answers[1], c.change))
		want = append(want, fmt.Sprintf("receipt %d: %s", len(e.receipts), c.finding))
	}
	e.receipts = append(e.receipts, bytes.Replace(f.answers[1], []byte(`"log":`), []byte(`"Log":`), 1))
	f.says("proofs", e, append(want, fmt.Sprintf("receipt %d: %s", len(e.receipts), noProof))...)
	e.log, e.checkpoints = "", ""
	f.says("proofs without the log", e, want...)
}

// checkpoints forges checkpoints from before.
func (f forgery) checkpoints() {
	const form, unsigned, noWitness = formFinding, unsignedFinding, noWitnessFinding
	before, lines := f.before, f.lines
	witness := f.witness.Name()
	asWitness, err := torchwood.NewCosignatureSigner(someOrigin, fakes.Key("mallory"))
	noError(f.T, err)
	cosigned, err := note.Sign(&note.Note{Text: strings.Join(lines[:3], "")}, asWitness)
	noError(f.T, err)
	e := f.kept()
	e.keys = bytes.Replace(e.keys, []byte(`"log":[`), []byte(`"log":["`+asWitness.Verifier().String()+`",`), 1)
	e.receipts, e.checkpoints = nil, ""
	var want []string
	for _, c := range [][2]string{
		{strings.Join(lines[4:], ""), form}, // only signatures, the first of the file
		{strings.Replace(before, "\n", "\n\n", 1), form}, {strings.Replace(before, "\n", "\r\n", 1), form}, {strings.Replace(before, "— ", "- ", 1), form},
		{f.signed(someOrigin, "0", noRoot), form}, {f.signed(someOrigin, "0"+f.size, noRoot), form}, {f.signed(someOrigin, "9223372036854775808", noRoot), form},
		{f.signed(someOrigin, f.size, noRoot[4:]), form}, {f.signed(someOrigin, f.size, noRoot[:42]+"B="), form}, {f.signed("log.example", f.size, noRoot), form},
		{strings.Replace(before, lines[4], "— "+someOrigin+" *\n", 1), form}, {strings.Replace(before, lines[4], "— "+someOrigin+"\n", 1), form},
		{strings.Replace(before, "\n", "\n1", 1), unsigned}, {strings.Replace(before, "\n\n", "\nmore\n\n", 1), unsigned},
		{signedNote(f.T, someOrigin, strings.Join(lines[:3], ""), fakes.Key("mallory")), unsigned}, {string(cosigned), unsigned},
		{signedNote(f.T, someOrigin, otherEpoch+strings.TrimPrefix(strings.Join(lines[:3], ""), someOrigin), serviceKey()), unsigned}, {f.signed(otherEpoch, f.size, noRoot), unsigned},
		{strings.Replace(before, lines[4], strings.Replace(lines[4], "/1 ", "/2 ", 1), 1), unsigned}, {strings.Replace(before, lines[4], "", 1), unsigned},
		{strings.Replace(before, lines[4], otherByte(f.T, lines[4], 0), 1), unsigned}, // of the key id
		{strings.Join(lines[:5], ""), noWitness}, {strings.Replace(before, lines[5], otherByte(f.T, lines[5], 11), 1), noWitness},
		{strings.Join(lines[:5], "") + plainSignature(f.T, witness, strings.Join(lines[:3], ""), lines[5]), noWitness},
		{before + "more\n", ""}, // good, and a rest
	} {
		e.checkpoints += c[0]
		if c[1] != "" {
			want = append(want, fmt.Sprintf("checkpoint %d: %s", len(want)+1, c[1]))
		}
	}
	f.says("checkpoints", e, append(want, fmt.Sprintf("checkpoint %d: %s", len(want)+2, form))...)

	another := fakes.NewLogWitness("witness.example/two").Verifier().String() + "\n"
	e = f.kept()
	e.witnesses = another
	f.says("another witness", e, "--log: "+noWitness, "checkpoint 1: "+noWitness, "receipt 1: "+noWitness, "receipt 2: "+noWitness)
	e.witnesses += f.witness.Verifier().String()
	f.says("one of two witnesses", e)
	e = f.kept()
	e.receipts = nil
	save(f.T, e.log, "checkpoint", []byte("log"))
	f.says("the log is unsigned", e, "--log: "+form)
}

// histories forges logs that contradict each other.
func (f forgery) histories() {
	e := f.kept()
	e.keys = bytes.Replace(e.keys, []byte(`"log":[`), []byte(`"log":["`+keyOf(f.T, otherEpoch)+`",`), 1)
	e.witnesses = ""
	e.checkpoints = f.signed(otherEpoch, "2", noRoot) + f.signed(someOrigin, f.size, noRoot) + f.signed(someOrigin, "2", noRoot)
	f.says("histories", e,
		"checkpoint 1: log: the checkpoint has another origin than the published one",
		"--log and checkpoint 2: two histories: the checkpoints of "+f.size+" entries have different roots",
		"checkpoint 3 and --log: two histories: the checkpoint of "+f.size+" entries does not extend the one of 2")

	// Two receipts contradict each other without the published log.
	e = f.kept()
	e.log, e.checkpoints, e.witnesses = "", "", ""
	forked := &builtLog{T: f.T, origin: someOrigin}
	for range f.sizeOf() - 1 {
		forked.add([]byte("another"))
	}
	header := regexp.MustCompile(`casino block 3\\n(?:[a-z]+: [^\\]+\\n)+`).Find(e.receipts[1])
	forked.add(bytes.ReplaceAll(header, []byte(`\n`), []byte("\n")))
	proof, err := tlog.ProveRecord(forked.size, forked.size-1, forked)
	noError(f.T, err)
	e.receipts[1] = changedLog(f.T, e.receipts[1], func(log map[string]any) {
		log["checkpoint"], log["index"], log["path"] = forked.checkpoint(forked.size, serviceKey()), forked.size-1, proof
	})
	f.says("two receipts", e, "receipt 1 and receipt 2: two histories: the checkpoints of "+f.size+" entries have different roots")

	e = f.kept()
	e.receipts = nil
	save(f.T, e.log, "checkpoint", []byte(f.before))
	e.checkpoints = string(read(f.T, f.folder, "checkpoint"))
	f.says("a published log that is shorter", e)
	noError(f.T, os.Remove(filepath.Join(e.log, f.tile)))
	f.says("no tile", e, "--log: log: the log lacks "+f.tile)
	data := read(f.T, f.folder, f.tile)
	save(f.T, e.log, f.tile, data[1:])
	f.says("a short tile", e, "--log: log: the log lacks "+f.tile)
	data[len(data)-1] ^= 1
	save(f.T, e.log, f.tile, data)
	f.says("another tile", e, "--log: log: the tiles do not lead to the root of "+f.size+" entries")
}

func (f forgery) sizeOf() int64 {
	f.Helper()
	size, err := strconv.ParseInt(f.size, 10, 64)
	noError(f.T, err)
	return size
}

// changedLog returns a copy of the answer with its member log replaced.
func changedLog(t *testing.T, answer []byte, change func(log map[string]any)) []byte {
	t.Helper()
	text, member, found := bytes.Cut(answer, []byte(`"log":`))
	var log map[string]any
	decoder := json.NewDecoder(bytes.NewReader(member))
	if !found || decoder.Decode(&log) != nil {
		t.Fatalf("no log in %s", answer)
	}
	change(log)
	made, err := json.Marshal(log)
	noError(t, err)
	return slices.Concat(text, []byte(`"log":`), made, member[decoder.InputOffset():])
}

// keyOf returns the verifier key of the service for an origin.
func keyOf(t *testing.T, origin string) string {
	t.Helper()
	public, _ := serviceKey().Public().(ed25519.PublicKey)
	key, err := note.NewEd25519VerifierKey(origin, public)
	noError(t, err)
	return key
}

// otherByte returns a line of a signature with another byte. Those of a cosignature's time end at 11.
func otherByte(t *testing.T, line string, at int) string {
	t.Helper()
	name, encoded, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "— "), " ")
	data, err := base64.StdEncoding.DecodeString(encoded)
	noError(t, err)
	data[at]++
	return "— " + name + " " + base64.StdEncoding.EncodeToString(data) + "\n"
}

// plainSignature returns a line with the signature of a witness over the text alone.
func plainSignature(t *testing.T, name, text, line string) string {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(strings.Fields(line)[2])
	noError(t, err)
	return "— " + name + " " + base64.StdEncoding.EncodeToString(append(data[:12:12], ed25519.Sign(fakes.Key("log witness "+name), []byte(text))...)) + "\n"
}

func read(t *testing.T, folder, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(path)))
	noError(t, err)
	return text
}

// documentedLogFindings returns the findings of the table on checkpoints in the manual.
func documentedLogFindings(t *testing.T) (findings []string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/fairness/log.md")
	noError(t, err)
	_, table, _ := strings.Cut(string(page), "| finding | meaning |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for row := range strings.Lines(table) {
		findings = append(findings, strings.Split(row, "`")[1])
	}
	return findings
}

var logPlaceholder = regexp.MustCompile(`\b(PATH|N)\b`)

// documentedLogFinding returns the row of the table that has a finding, and fails without one.
func documentedLogFinding(t *testing.T, found string) string {
	t.Helper()
	for _, finding := range documentedLogFindings(t) {
		if regexp.MustCompile("^" + logPlaceholder.ReplaceAllString(finding, `[\w./]+`) + "$").MatchString(found) {
			return finding
		}
	}
	t.Errorf("the manual doesn't have the finding %q", found)
	return ""
}
