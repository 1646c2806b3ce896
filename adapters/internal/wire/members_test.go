package wire_test

import (
	"encoding"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/game"
)

var update = flag.Bool("update", false, "record the members of kept answers")

// membersOf lists the members of a type's JSON with their kinds, by path.
func membersOf(path string, of reflect.Type) (all []string) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || of == reflect.TypeFor[game.Value]() || reflect.PointerTo(of).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return []string{path + " " + of.Kind().String()}
	}
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			name = field.Name
		}
		inner := path + "." + name
		if field.Anonymous {
			inner = path
		}
		if field.IsExported() || field.Anonymous {
			all = append(all, membersOf(inner, field.Type)...)
		}
	}
	return all
}

// The members of stored answers are names in the database. Rows written by an earlier
// version can't be read if one is renamed or removed. New ones are recorded with -update.
func TestKeptAnswersKeepTheirMembers(t *testing.T) {
	t.Parallel()
	const recorded = "testdata/answer_members.golden"
	now := membersOf("answer", wire.AnswerType)
	if *update {
		if err := os.WriteFile(recorded, []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Fields(strings.ReplaceAll(string(text), " ", ":"))
	for i := range now {
		now[i] = strings.ReplaceAll(now[i], " ", ":")
	}
	for _, member := range before {
		if !slices.Contains(now, member) {
			t.Errorf("%s is gone: answers that are kept with it can't be read", member)
		}
	}
	for _, member := range now {
		if !slices.Contains(before, member) {
			t.Errorf("%s is new: record it with go test ./adapters/internal/wire -update", member)
		}
	}
}
