package sqlstore_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
)

// publish appends all blocks to the public log and keeps a checkpoint. It returns the root.
func (v *vault) publish() (root string, headers []hashchain.Header) {
	v.Helper()
	for more := true; more; {
		var err error
		if more, err = v.store.AppendHeads(v.Context(), 100); err != nil {
			v.Fatal(err)
		}
	}
	size, err := v.store.LogSize(v.Context())
	if err == nil {
		headers, err = v.store.LoggedHeaders(v.Context(), 0, int(size))
	}
	if err != nil || size < 10 {
		v.Fatal(size, err)
	}
	var tree merkle.Frontier
	for _, h := range headers {
		tree.Append(h.LogLeaf())
	}
	hash := tree.Root()
	root = base64.StdEncoding.EncodeToString(hash[:])
	if err := v.store.KeepLogCheckpoint(v.Context(), ports.LogCheckpoint{
		Origin: "casino/l/1", Size: size, At: v.now, Note: fmt.Sprintf("casino/l/1\n%d\n%s\n\n— signature\n", size, root),
	}); err != nil {
		v.Fatal(err)
	}
	return root, headers
}

// TestAuditsNameChangesOfThePublicLog changes the rows of the public log, as a superuser.
func TestAuditsNameChangesOfThePublicLog(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		v := newVault(t, on)
		root, headers := v.publish()
		if found := v.audit(v.kept); found != "" {
			t.Fatalf("before: %s", found)
		}
		v.disarm()
		first := 0
		for headers[first].Lane != headers[first+1].Lane {
			first++
		}
		lane, seq := headers[first].Lane, headers[first].Seq
		move := func(from, to int64) string {
			return fmt.Sprintf("UPDATE log_entries SET seq = %d WHERE lane = %d AND seq = %d", to, lane, from)
		}
		for _, a := range []attack{
			{what: "the newest entry taken away", tables: "log_entries", sql: "DELETE FROM log_entries WHERE n = (SELECT max(n) FROM log_entries)", named: "entries was signed, the log has"},
			{
				what: "an entry taken away", tables: "log_entries", sql: fmt.Sprintf("DELETE FROM log_entries WHERE n = %d", first),
				named: fmt.Sprintf("block %d:%d is entry %d of the log, and does not follow block", lane, seq+1, first),
			},
			{what: "an entry of no block", tables: "log_entries", sql: move(seq, 1_000_000), named: "does not follow block"},
			{
				what: "two entries in each other's place", tables: "log_entries",
				sql: strings.Join([]string{move(seq, 1_000_000), move(seq+1, seq), move(1_000_000, seq+1)}, ";"), named: "does not follow block",
			},
			{what: "a stored hash", tables: "log_hashes", sql: "UPDATE log_hashes SET hash = (SELECT hash FROM log_hashes WHERE n = 1) WHERE n = 0", named: "its stored hashes are not those of the blocks"},
			{what: "a stored hash taken away", tables: "log_hashes", sql: "DELETE FROM log_hashes WHERE n = 2", named: "its stored hashes are not those of the blocks"},
			{
				what: "the root of a checkpoint", tables: "log_checkpoints",
				sql: "UPDATE log_checkpoints SET note = replace(note, '" + root + "', '" + strings.Repeat("A", 43) + "=')", named: "has another root than the blocks",
			},
		} {
			v.keeping(a.tables, func() {
				if err := v.do(v.master, a.sql); err != nil {
					t.Fatalf("%s: %v", a.what, err)
				}
				if found := v.audit(v.kept); !strings.Contains(found, a.named) {
					t.Errorf("%s: the audit says %q, not %q", a.what, found, a.named)
				}
			})
		}
		if found := v.audit(v.kept); found != "" {
			t.Errorf("put back, and yet: %s", found)
		}
	})
}
