package main

import (
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   []string
		ok   bool
		want []string // in this order; the last one ends the output
		not  string
	}{
		"all pass": {
			in: []string{
				`{"Action":"start","Package":"m/a"}`, `{"Action":"run","Package":"m/a","Test":"TestA"}`,
				`{"Action":"output","Package":"m/a","Test":"TestA","Output":"    a_test.go:1: chatter\n"}`,
				`{"Action":"pass","Package":"m/a","Test":"TestA/x"}`, `{"Action":"pass","Package":"m/a","Test":"TestA"}`,
				`{"Action":"output","Package":"m/a","Output":"ok  \tm/a\t0.1s\n"}`, `{"Action":"pass","Package":"m/a"}`,
			},
			ok: true, want: []string{"ok  \tm/a\t0.1s\n", "2 passed, 0 failed\n"}, not: "chatter",
		},
		"a test fails": {
			in: []string{
				`{"Action":"output","Package":"m/a","Test":"TestA","Output":"=== RUN   TestA\n"}`,
				`{"Action":"output","Package":"m/a","Test":"TestA","Output":"    a_test.go:1: wrong \u003cx\u003e\n"}`,
				`{"Action":"fail","Package":"m/a","Test":"TestA"}`, `{"Action":"skip","Package":"m/a","Test":"TestB"}`,
				`{"Action":"output","Package":"m/a","Output":"FAIL\tm/a\t0.1s\n"}`, `{"Action":"fail","Package":"m/a"}`,
			},
			want: []string{"wrong <x>\n", "skipped m/a.TestB\n", "FAIL\tm/a", "1 skipped\n", "0 passed, 1 failed\n"}, not: "=== RUN",
		},
		"a package doesn't build": {
			in: []string{
				`{"ImportPath":"m/a","Action":"build-output","Output":"a.go:1:1: undefined: x\n"}`,
				`{"Action":"pass","Package":"m/b","Test":"TestB"}`, `{"Action":"fail","Package":"m/a","FailedBuild":"m/a"}`,
			},
			want: []string{"undefined: x\n", "1 passed, 1 failed\n"}, not: "without a result",
		},
		"a package panics in a test that never ended": {
			in: []string{
				`{"Action":"output","Package":"m/a","Test":"TestA","Output":"=== RUN   TestA\n"}`, `{"Action":"output","Package":"m/a","Test":"TestA","Output":"panic: oh\n"}`,
				`{"Action":"output","Package":"m/a","Test":"TestB","Output":"=== PAUSE TestB\n"}`, `{"Action":"fail","Package":"m/a"}`,
			},
			want: []string{"panic: oh\n", "m/a ended without a result of 1 tests that printed nothing\n", "0 passed, 1 failed\n"}, not: "===",
		},
		"plain text of go itself": {in: []string{"go: no such module"}, want: []string{"go: no such module\n", "0 passed, 0 failed\n"}},
		"nothing":                 {want: []string{"0 passed, 0 failed\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			ok, err := summarize(strings.NewReader(strings.Join(c.in, "\n")), &out)
			if err != nil || ok != c.ok {
				t.Errorf("ok %v, error %v", ok, err)
			}
			rest := out.String()
			for _, want := range c.want {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("%q is missing in %q", want, out.String())
				}
				rest = after
			}
			if rest != "" || c.not != "" && strings.Contains(out.String(), c.not) {
				t.Errorf("unwanted text in %q", out.String())
			}
		})
	}
}
