package stream_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/stream"
)

// constants returns the texts of the constants of a type in a source file.
func constants(t *testing.T, file, of string) (all []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if named, ok := spec.Type.(*ast.Ident); ok && named.Name == of {
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, text)
		}
		return true
	})
	if len(all) < 10 {
		t.Fatalf("%s has %d constants of %s", file, len(all), of)
	}
	return all
}

func TestTheCatalogueHasEveryType(t *testing.T) {
	t.Parallel()
	declared := constants(t, "catalogue.go", "Type")
	for _, e := range stream.Catalogue() {
		if !regexp.MustCompile(`^[a-z]+\.[a-z_]+$`).MatchString(string(e.Type)) {
			t.Errorf("the name %q", e.Type)
		}
		at := slices.Index(declared, string(e.Type))
		if at < 0 {
			t.Errorf("%s is there twice, or no constant", e.Type)
			continue
		}
		declared = slices.Delete(declared, at, at+1)
		if parsed, ok := stream.ParseType(string(e.Type)); !ok || parsed != e.Type {
			t.Errorf("%s is read as %s", e.Type, parsed)
		}
	}
	if len(declared) > 0 {
		t.Errorf("the catalogue lacks %v", declared)
	}
	if _, ok := stream.ParseType("round.unknown"); ok {
		t.Error("an unknown type is read")
	}
}

// TestNoRecordIsForgotten: every action of the audit log is announced by its own or
// another event.
func TestNoRecordIsForgotten(t *testing.T) {
	t.Parallel()
	actions := audit.Actions()
	for _, action := range constants(t, "../audit/audit.go", "Action") {
		at := slices.Index(actions, audit.Action(action))
		if at < 0 {
			t.Fatalf("%s is not among the actions", action)
		}
		actions = slices.Delete(actions, at, at+1)
		as, instead := stream.Recorded(audit.Action(action))
		if (as == "") == (instead == "") {
			t.Errorf("a record of %s is announced as %q, and %q says it", action, as, instead)
		}
		if _, known := stream.ParseType(string(as + instead)); !known {
			t.Errorf("a record of %s: no type %s", action, as+instead)
		}
		made := stream.Events(&stream.Block{
			Head: hashchain.Head{Lane: 3, Seq: 9}, Number: 7,
			Rows: []stream.Row{{Position: 4, Audit: &audit.Record{ID: "q", Action: audit.Action(action), By: "ada", Target: "x"}}},
		})
		if as == "" {
			if len(made) != 0 {
				t.Errorf("a record of %s makes %v beside %s", action, made, instead)
			}
			continue
		}
		if len(made) != 1 || made[0].Type != as || made[0].ID != "3.9.4" || made[0].Subject != "x" || made[0].Wallet != "" {
			t.Errorf("a record of %s makes %+v", action, made)
		}
		if _, theirs := made[0].Own("x"); theirs {
			t.Errorf("players hear of %s", action)
		}
	}
	if len(actions) > 0 {
		t.Errorf("%v are no constants, or there twice", actions)
	}
}
