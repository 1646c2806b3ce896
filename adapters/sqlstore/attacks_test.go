package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

var updateAttacks = flag.Bool("update-attacks", false, "write the table of docs/changed-rows.md anew")

// attack is a change of rows outside the service.
type attack struct {
	what string
	// tables are those it changes: they are restored afterwards.
	tables string
	sql    string
	// named is a part of the audit's finding; empty if the audit doesn't notice.
	named string
	// why says what else notices it, or why it does no harm.
	why string
	// heads says that it is named only if heads are kept outside the database.
	heads bool
	// resealed says that every block is recomputed afterwards.
	resealed bool
}

// vault is a database with rows in every table, its owner's connection, and the service's.
type vault struct {
	testing.TB
	on              engine
	store           *sqlstore.Store
	service, master *sql.DB
	games           *game.Registry
	now             time.Time
	kept            []hashchain.Head
	columnsOf       map[string]string // by table
}

// before are the tables whose earlier state is kept, so that attacks can restore old rows.
var before = strings.Fields("transactions roles balances seed_pairs approval_requests player_protection payout_attempts")

func newVault(t *testing.T, on engine) *vault {
	t.Helper()
	where := on.fresh(t)
	open := openStore(t, on, where, sqlstore.WriterOptions{}, one, 1)
	v := &vault{TB: t, on: on, store: open.Ports.(ported).Store, columnsOf: map[string]string{}}
	connect := func(parameters string) *sql.DB {
		db, err := on.beside(where + parameters)
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	if on.numbered {
		v.service, v.master = connect(runtimeRole), connect("&session_replication_role=replica")
	} else {
		v.service = connect("")
		v.master = v.service
		v.must(v.master, "PRAGMA synchronous = OFF") // used by the attacker alone
	}
	v.now = conformance.Populate(t, open, func() {
		for _, table := range before {
			v.must(v.master, "CREATE TABLE old_"+table+" AS SELECT * FROM "+table)
			if on.numbered {
				v.must(v.master, "GRANT SELECT ON old_"+table+" TO casino_runtime")
			}
		}
	})
	v.lastGrant()
	for more := true; more; {
		var err error
		if more, err = v.store.CountPlay(t.Context(), 1_000); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if v.games, err = fakes.LadderGames(); err != nil {
		t.Fatal(err)
	}
	if v.kept, err = v.store.Heads(t.Context()); err != nil {
		t.Fatal(err)
	}
	return v
}

// lastGrant grants bob a role, in the newest block of the administration's lane.
func (v *vault) lastGrant() {
	v.Helper()
	if err := v.store.ChangeRole(v.Context(), bob, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		return &rbac.Assignment{Wallet: bob, Role: "support", GrantedAt: v.now},
			audit.Record{ID: "the last grant", Action: audit.RoleGranted, By: admin, Target: string(bob), At: v.now}, nil
	}); err != nil {
		v.Fatal(err)
	}
}

func (v *vault) must(db *sql.DB, statement string) {
	v.Helper()
	if _, err := db.ExecContext(context.Background(), statement); err != nil {
		v.Fatalf("%s: %v", statement, err)
	}
}

// audit returns the finding of an audit with the seeds' keys, or the error that ended it.
func (v *vault) audit(kept []hashchain.Head) string {
	v.Helper()
	report, err := appaudit.NewAuditor(v.store, v.games, kept).At(v.now).OpenSeeds().Run(v.Context())
	if err != nil {
		return err.Error()
	}
	return strings.Join(report.Findings, "\n")
}

// do runs the statements of an attack and returns the database's refusal.
func (v *vault) do(db *sql.DB, statements string) (refusal error) {
	v.Helper()
	changed := int64(0)
	for statement := range strings.SplitSeq(statements, ";") {
		result, err := db.ExecContext(v.Context(), strings.ReplaceAll(statement, "{nobody}", v.on.key("nobody")))
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil {
			v.Fatal(err)
		}
		changed += n
	}
	if changed == 0 {
		v.Errorf("%s changes nothing", statements)
	}
	return nil
}

// disarm drops the triggers of a file, where no role can bypass them, and of a server the one
// rule that attacks must get past.
func (v *vault) disarm() {
	v.Helper()
	if v.on.numbered {
		v.must(v.master, "ALTER TABLE players DROP CONSTRAINT players_check")
		return
	}
	var drops []string
	rows(v, v.master, "SELECT name FROM sqlite_master WHERE type = 'trigger'", func(scan func(...any)) {
		var name string
		scan(&name)
		drops = append(drops, "DROP TRIGGER "+name)
	})
	for _, drop := range drops {
		v.must(v.master, drop)
	}
}

// verdict is the outcome of an attack: unpaid says that its player gets no payout.
type verdict struct{ refused, named, unpaid bool }

// try runs the attack over a connection, checks, and restores everything.
func (v *vault) try(db *sql.DB, a attack) (seen verdict) {
	v.Helper()
	v.keeping(a.tables, func() {
		if err := v.do(db, a.sql); err != nil {
			seen.refused = true
			return
		}
		if a.resealed {
			v.reseal()
		}
		seen.named, seen.unpaid = v.noticed(a), v.unproved()
	})
	return seen
}

// unproved reports whether some player's balance is not what was booked: no payout of that player
// is signed then.
func (v *vault) unproved() (found bool) {
	v.Helper()
	rows(v, v.master, "SELECT wallet FROM players", func(scan func(...any)) {
		var w wallet.Address
		scan(&w)
		found = found || v.proved(w) != nil
	})
	return found
}

// proved proves a player's balance, as before a payout.
func (v *vault) proved(w wallet.Address) error {
	v.Helper()
	count := proof.Begin(w, proof.Proof{})
	page, err := v.store.WalletBlocks(v.Context(), ports.WalletQuery{Wallet: w, Limit: 1 << 20})
	for _, block := range page.Blocks {
		if err == nil {
			err = count.Add(block)
		}
	}
	if err != nil || page.More {
		return errors.Join(err, fmt.Errorf("left out: %v", page.More))
	}
	return count.Check(page.State)
}

// reseal recomputes every block from the stored rows, as a skilled attacker would.
func (v *vault) reseal() {
	v.Helper()
	last := map[int]hashchain.Head{}
	var statements []string
	if err := v.store.Blocks(v.Context(), func(b ports.Block) error {
		previous := last[b.Lane]
		previous.Lane = b.Lane
		next := hashchain.Next(previous, b.Content)
		statements = append(statements, fmt.Sprintf("UPDATE blocks SET previous = '%s', hash = '%s', root = '%s', size = %d WHERE lane = %d AND seq = %d",
			previous.Hash, next.Hash(), next.Root, next.Size, b.Lane, b.Seq))
		last[b.Lane] = next.Head()
		return nil
	}); err != nil {
		v.Fatal(err)
	}
	for _, statement := range statements {
		v.must(v.master, statement)
	}
}

// keeping restores tables after do.
func (v *vault) keeping(tables string, do func()) {
	v.Helper()
	for table := range strings.FieldsSeq(tables) {
		v.must(v.master, "CREATE TABLE kept_of_"+table+" AS SELECT * FROM "+table)
	}
	do()
	armed := v.triggers(tables)
	for _, name := range slices.Sorted(maps.Keys(armed)) {
		v.must(v.master, "DROP TRIGGER "+name)
	}
	for table := range strings.FieldsSeq(tables) {
		v.must(v.master, "DELETE FROM "+table)
		v.must(v.master, "INSERT INTO "+table+" ("+v.columns(table)+") SELECT "+v.columns(table)+" FROM kept_of_"+table)
		v.must(v.master, "DROP TABLE kept_of_"+table)
	}
	for _, text := range armed {
		v.must(v.master, text)
	}
}

// columns returns the columns for inserting rows of a table.
func (v *vault) columns(table string) (names string) {
	v.Helper()
	if known, ok := v.columnsOf[table]; ok {
		return known
	}
	defer func() { v.columnsOf[table] = names }()
	text := "SELECT group_concat(name, ', ') FROM pragma_table_info('" + table + "')" // without generated columns
	if v.on.numbered {
		text = "SELECT string_agg(column_name, ', ') FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = '" + table + "'"
	}
	rows(v, v.master, text, func(scan func(...any)) { scan(&names) })
	return names
}

// triggers returns the triggers of a file's tables, with their SQL. Where a role can bypass
// triggers, none is dropped.
func (v *vault) triggers(tables string) map[string]string {
	v.Helper()
	found := map[string]string{}
	if v.on.numbered {
		return found
	}
	for table := range strings.FieldsSeq(tables) {
		rows(v, v.master, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '"+table+"'", func(scan func(...any)) {
			var name, text string
			scan(&name, &text)
			found[name] = text
		})
	}
	return found
}

// noticed audits and compares the finding with what the attack expects.
func (v *vault) noticed(a attack) bool {
	v.Helper()
	found := v.audit(nil)
	if a.heads {
		if found != "" {
			v.Errorf("%s: named without a kept head: %s", a.what, found)
		}
		found = v.audit(v.kept)
	}
	if a.named == "" {
		if found != "" {
			v.Errorf("%s: nobody was to notice, the audit found\n%s", a.what, found)
		}
		return false
	}
	if !strings.Contains(found, a.named) {
		v.Errorf("%s: want %q, the audit found\n%s", a.what, a.named, found)
	}
	return true
}

// TestRowsChangedBehindTheServicesBack changes, adds, deletes, copies and restores rows of every
// table, as the service's own role and without any protection: the database refuses it, or the
// audit names it, or the table in docs/changed-rows.md says why not.
func TestRowsChangedBehindTheServicesBack(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		v := newVault(t, on)
		if found := v.audit(v.kept); found != "" || v.unproved() {
			t.Fatalf("before: %s", found)
		}
		all := attacks()
		asService, asMaster := make([]verdict, len(all)), make([]verdict, len(all))
		for i, a := range all {
			asService[i] = v.try(v.service, a)
		}
		v.disarm()
		noticed, unpaid := 0, 0
		var table strings.Builder
		for i, a := range all {
			switch asMaster[i] = v.try(v.master, a); {
			case asMaster[i].refused:
				t.Errorf("%s: nothing was to be in its way", a.what)
			case asMaster[i].named:
				noticed++
			}
			if asMaster[i].unpaid {
				unpaid++
			}
			fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", a.what, a.how(asService[i]), a.how(asMaster[i]), a.says())
		}
		if found := v.audit(v.kept); found != "" {
			t.Fatalf("put back, and yet: %s", found)
		}
		if noticed < 40 {
			t.Errorf("%d changes are noticed", noticed)
		}
		if unpaid < 20 {
			t.Errorf("after %d changes nothing is paid", unpaid)
		}
		if on.numbered {
			documented(t, table.String())
		}
	})
}

// how returns the outcome of an attack for a cell of the table.
func (a attack) how(seen verdict) string {
	switch {
	case seen.refused:
		return "refused"
	case seen.unpaid && seen.named && !a.heads:
		return "refused before money moves; named"
	case seen.unpaid && seen.named:
		return "refused before money moves; named by a kept head"
	case seen.unpaid:
		return "refused before money moves"
	case !seen.named:
		return "**unnoticed**"
	case a.heads:
		return "named by a kept head"
	}
	return "named"
}

// says returns what the audit says, or why it doesn't.
func (a attack) says() string {
	if a.named == "" {
		return a.why
	}
	said := "“" + a.named + "”"
	if a.why != "" {
		said += "; " + a.why
	}
	return said
}

// documented compares the table with that of docs/changed-rows.md.
func documented(t *testing.T, table string) {
	t.Helper()
	const path = "../../docs/changed-rows.md"
	const head = "| change | as the service's role | as superuser | the audit says |\n|---|---|---|---|\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), head)
	if !ok {
		t.Fatalf("%s has no table", path)
	}
	old, after, _ := strings.Cut(rest, "\n\n")
	if *updateAttacks {
		if err := os.WriteFile(path, []byte(before+head+strings.TrimSuffix(table, "\n")+"\n\n"+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old+"\n" != table {
		t.Errorf("%s is not what happens: go test ./adapters/sqlstore -run TestRowsChangedBehindTheServicesBack -update-attacks", path)
	}
}
