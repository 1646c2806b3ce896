package documents_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/rbac"
)

// permissionRow matches a row of the table of roles: a permission, and whether each role has it.
var permissionRow = regexp.MustCompile("(?m)^\\| `([a-z]+:[a-z]+)` \\|[^|]+\\|(.*)\\|$")

// TestTheRolesAreDocumented compares the table of docs/operations/README.md with the default roles.
func TestTheRolesAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/operations/README.md")
	noError(t, err)
	roles, documented := rbac.DefaultPolicy().Roles(), map[string]string{}
	header := "| permission | allows |"
	for _, role := range roles {
		header += " `" + role.Name + "` |"
	}
	if !strings.Contains(string(page), header+"\n") {
		t.Errorf("no table begins with %s", header)
	}
	for _, row := range permissionRow.FindAllStringSubmatch(string(page), -1) {
		documented[row[1]] = row[2]
	}
	for _, permission := range rbac.Permissions() {
		var cells []string
		for _, role := range roles {
			cell := ""
			if role.Allows(permission) {
				cell = "yes"
			}
			cells = append(cells, cell)
		}
		got := strings.Split(documented[string(permission)], "|")
		for i := range got {
			got[i] = strings.TrimSpace(got[i])
		}
		if strings.Join(got, "|") != strings.Join(cells, "|") {
			t.Errorf("%s: the table has %q, the roles %q", permission, got, cells)
		}
		delete(documented, string(permission))
	}
	for permission := range documented {
		t.Errorf("%s is no permission", permission)
	}
}
