package services_test

import (
	"testing"

	"github.com/casino-service/casino/test/services"
)

func TestAnUpgradedServerHasItsDataUnderAnotherIdentifier(t *testing.T) {
	t.Parallel()
	c := services.NewCluster(t)
	db := open(t, c.URL())
	before := text(t, db, "SELECT system_identifier::text FROM pg_control_system()")
	if _, err := db.Exec("CREATE TABLE t AS SELECT 'kept' AS a"); err != nil {
		t.Fatal(err)
	}
	c.Upgrade(t)
	db = open(t, c.URL())
	if after := text(t, db, "SELECT system_identifier::text FROM pg_control_system()"); after == before {
		t.Error("it is the same server")
	}
	if got := text(t, db, "SELECT a FROM t"); got != "kept" {
		t.Errorf("kept %q", got)
	}
}
