package main

import (
	"context"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// TestEventsArePrintedAndFollowed: continuing from a cursor skips and repeats no event,
// including those committed while --follow runs.
func TestEventsArePrintedAndFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	w.serve() // registers the tokens
	book := func(n string) {
		w.do("capital", "book", "So11111111111111111111111111111111111111112", "1000000", "paper "+n)
	}
	book("1")
	book("2")
	lines := func(out string) (all []api.Event) {
		for line := range strings.SplitSeq(strings.TrimSpace(out), "\n") {
			var e api.Event
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			all = append(all, e)
		}
		return all
	}
	booked := []string{"events", "--types", "capital.booked"}
	all := lines(w.do(booked...))
	if len(all) != 2 || all[0].Type != "casino.capital.booked" || !strings.HasPrefix(all[0].Source, "urn:casino:") {
		t.Fatalf("printed %+v", all)
	}
	if rest := lines(w.do(append(booked, "--from", all[0].Cursor)...)); len(rest) != 1 || rest[0].ID != all[1].ID {
		t.Errorf("after the first: %+v", rest)
	}
	if out := w.do(append(booked, "--from", "now")...); out != "" {
		t.Errorf("from now: %s", out)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	heard := &firstLine{seen: make(chan string, 1)}
	ended := make(chan int)
	go func() {
		ended <- run(ctx, append(append(booked, "--follow", "--from", all[1].Cursor), w.flags("database-url")...), heard, heard)
	}()
	book("3")
	if e := lines(<-heard.seen); e[0].ID == all[1].ID || e[0].Type != all[0].Type {
		t.Errorf("followed %+v", e)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("interrupted: exit %d", code)
	}
	for flag, value := range map[string]string{"--from": "nowhere", "--types": "none.such", "--wallet": "nobody"} {
		if _, errOut, code := runCasino(t, append([]string{"events", flag, value}, w.flags("database-url")...)...); code != exitUsage || errOut == "" {
			t.Errorf("%s %s: exit %d, %s", flag, value, code, errOut)
		}
	}
}

// firstLine passes on the first write.
type firstLine struct{ seen chan string }

func (f *firstLine) Write(text []byte) (int, error) {
	select {
	case f.seen <- string(text):
	default:
	}
	return len(text), nil
}
