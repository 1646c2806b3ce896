package services_test

import (
	"os"
	"testing"

	"github.com/casino-service/casino/test/services"
)

// TestServersOfATemplateAreDifferent makes two servers from one template: they start, and have
// identifiers of their own.
func TestServersOfATemplateAreDifferent(t *testing.T) {
	if os.Getenv(services.TemplateFolder) == "" { // as without make test
		folder, err := os.MkdirTemp("", "casino-templates-")
		if err == nil {
			err = os.Chmod(folder, 0o755) //nolint:gosec // servers run as another user
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := os.RemoveAll(folder); err != nil {
				t.Error(err)
			}
		})
		t.Setenv(services.TemplateFolder, folder)
	}
	var identifiers [2]string
	for i := range identifiers {
		db := open(t, services.NewCluster(t).URL())
		identifiers[i] = text(t, db, "SELECT system_identifier::text FROM pg_control_system()")
	}
	if identifiers[0] == identifiers[1] {
		t.Errorf("both are %s", identifiers[0])
	}
}
