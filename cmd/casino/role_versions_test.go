package main

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/test/fakes"
)

// TestAnOldListOfRolesIsPutBack restores the roles from before a revocation while the
// service is stopped: neither the next start nor a command uses them until they are
// accepted.
func TestAnOldListOfRolesIsPutBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	keys := []string{"--seed-keys", "2026-01:" + random(3), "--state-dir", w.settings["state-dir"]}
	role := func(args ...string) (string, int) {
		_, errOut, code := runCasino(t, append(append(append([]string{"role"}, args...), keys...), w.flags("database-url")...)...)
		return errOut, code
	}
	w.do("migrate", "up")
	w.serve().stop()
	mallory := string(fakes.Wallet("mallory"))
	w.do(append([]string{"role", "grant", mallory, "finance"}, keys...)...)
	w.execs("CREATE TABLE old_roles AS SELECT * FROM roles", "CREATE TABLE old_list AS SELECT * FROM role_list")
	w.do(append([]string{"role", "revoke", mallory}, keys...)...)
	w.execs("DELETE FROM roles", "INSERT INTO roles SELECT * FROM old_roles", "DELETE FROM role_list", "INSERT INTO role_list SELECT * FROM old_list")

	if errOut, code := role("grant", string(fakes.Wallet("ops")), "ops"); code != exitFailed || !strings.Contains(errOut, "not the one that the service wrote") {
		t.Errorf("a role is granted on an old list: exit %d, %s", code, errOut)
	}
	s := w.serve()
	if _, err := s.signIn("root").ListRoles(t.Context()); !refusedAs(err, "API_CHECKING") {
		t.Errorf("the roles after a restart: %v", err)
	}
	s.stop()
	if out := w.do(append([]string{"role", "accept"}, keys...)...); !strings.Contains(out, "the roles are as casino role list shows them") {
		t.Errorf("accepted: %s", out)
	}
	if out := w.do(append([]string{"role", "accept"}, keys...)...); !strings.Contains(out, "nothing was changed") {
		t.Errorf("accepted again: %s", out)
	}
	w.do(append([]string{"role", "revoke", mallory}, keys...)...)
	s = w.serve()
	if all, err := s.signIn("root").ListRoles(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("the roles once they were accepted: %+v, %v", all, err)
	}
	records, err := s.signIn("root").AuditLog(t.Context(), api.AuditLogParams{Action: "roles.accepted"})
	if err != nil || len(records.Records) != 1 {
		t.Errorf("records of it: %+v, %v", records, err)
	}
}

// execs runs statements on the database of a stopped service.
func (w *world) execs(statements ...string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", strings.TrimPrefix(w.settings["database-url"], "sqlite:"))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := db.ExecContext(w.t.Context(), statement); err != nil {
			w.t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := errors.Join(db.Close()); err != nil {
		w.t.Fatal(err)
	}
}
