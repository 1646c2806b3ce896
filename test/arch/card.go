package arch

import (
	"fmt"
	"slices"
	"strings"
)

// card are the libraries that the product is made with, each for what it is good at. One that
// only tests import is said so.
var card = []struct {
	path  string
	tests bool
}{
	{"github.com/gagliardetto/solana-go", false},
	{"github.com/golang-jwt/jwt/v5", false},
	{"github.com/golang/mock/gomock", true},
	{"github.com/google/uuid", false},
	{"github.com/gorilla/mux", false},
	{"github.com/redis/go-redis/v9", false},
	{"github.com/uptrace/bun", false},
	{"go.uber.org/fx", false},
}

// cardIsKept finds libraries of the card that nothing imports any more: somebody wrote one's
// work by hand.
func cardIsKept(t Tree) (found []string) {
	for _, library := range card {
		if !slices.ContainsFunc(t.Files, func(f File) bool {
			return strings.HasSuffix(f.Path, "_test.go") == library.tests && (library.tests || !f.Test()) && f.imports(library.path)
		}) {
			found = append(found, fmt.Sprintf("nothing imports %s", library.path))
		}
	}
	return found
}

// withoutModel are tables that functions of the database alone read and write.
var withoutModel = []string{"detached_months"}

// tablesAreModels finds tables of migrations that no model of bun describes.
func tablesAreModels(t Tree) (found []string) {
	for _, table := range t.Tables {
		if slices.Contains(withoutModel, table) || slices.ContainsFunc(t.Files, func(f File) bool {
			return !f.Test() && strings.Contains(string(f.Source), "bun.BaseModel `bun:\"table:"+table+",")
		}) {
			continue
		}
		found = append(found, fmt.Sprintf("table %s has no model", table))
	}
	return found
}
