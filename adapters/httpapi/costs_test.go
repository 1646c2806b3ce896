package httpapi_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi"
)

// costRow matches a row of the table: an endpoint, its limit, what it stores and which
// services it calls.
var costRow = regexp.MustCompile("(?m)^\\| `([A-Z]+ /[^`]*)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$")

// TestEveryEndpointSaysWhatAStrangerCosts compares the manual's table with the routes and their
// limits: an endpoint without a row or with another limit fails.
func TestEveryEndpointSaysWhatAStrangerCosts(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/operations/endpoints.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, row := range costRow.FindAllStringSubmatch(string(page), -1) {
		if _, twice := documented[row[1]]; twice {
			t.Errorf("%s has two rows", row[1])
		}
		documented[row[1]] = row[2]
	}
	for _, line := range httpapi.Routes() {
		name := line.Method + " " + line.Path
		if got, ok := documented[name]; !ok {
			t.Errorf("docs/operations/endpoints.md has no row for %s: say what a stranger can make it keep and call", name)
		} else if got != line.Limit {
			t.Errorf("docs/operations/endpoints.md: the limit of %s is %q, the code's %q", name, got, line.Limit)
		}
		delete(documented, name)
	}
	for name := range documented {
		t.Errorf("docs/operations/endpoints.md: %s is no endpoint", name)
	}
}
