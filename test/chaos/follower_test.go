package chaos_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/fakes"
)

// follower knows only the casino's events. Its state is a file of the events it read, one per
// line: each run continues after the last complete line, and may end at any point.
type follower struct {
	*party
	name string
	path string
	// run writes the events after a cursor until its context ends, without notice.
	run func(ctx context.Context, from string, to io.Writer) error

	mu    sync.Mutex
	end   context.CancelFunc
	lives int
}

// byCommand follows with a process of `casino events`, which reads the database and is killed
// with its context.
func (p *party) byCommand() *follower {
	return p.follower("casino events", func(ctx context.Context, from string, to io.Writer) error {
		command := p.instances[0].command(ctx, "events", "--follow", "--from", from)
		command.Stdout = to
		return command.Run()
	})
}

// byStream follows GET /admin/events of one instance after the other, from a first event that it
// reads as a page, because a stream without a cursor begins now. It writes a line in two parts: a
// run that ends between them leaves a partial line.
func (p *party) byStream() *follower {
	who, turn := &signedIn{name: "superadmin"}, 0
	noError(p, who.signIn(p.Context(), p.instances[0].client("192.0.2.3"), ""))
	return p.follower("GET /admin/events", func(ctx context.Context, from string, to io.Writer) error {
		turn++
		at := p.instances[turn%len(p.instances)].client("192.0.2.3")
		asking, filter := at.WithToken(who.bearer()), api.AdminEventsParams{Cursor: from}
		write := func(_ string, e api.Event) error {
			line, err := json.Marshal(e)
			line = append(line, '\n')
			for _, part := range [][]byte{line[:len(line)/2], line[len(line)/2:]} {
				if err == nil {
					err = ctx.Err()
				}
				if err == nil {
					_, err = to.Write(part)
				}
			}
			return err
		}
		if from == "" {
			filter.Limit = 1
			page, err := asking.AdminEvents(ctx, filter)
			if err != nil || len(page.Events) == 0 {
				return err
			}
			return write("", page.Events[0])
		}
		err := asking.FollowAdminEvents(ctx, filter, write)
		if client.CodeOf(err) == "EXPIRED_TOKEN" {
			return who.signIn(ctx, at, who.bearer())
		}
		return err
	})
}

func (p *party) follower(name string, run func(context.Context, string, io.Writer) error) *follower {
	return &follower{party: p, name: name, path: filepath.Join(p.TempDir(), "heard"), run: run, end: func() {}}
}

// follow starts one run after the other until ctx ends.
func (f *follower) follow(ctx context.Context) {
	for ctx.Err() == nil && !f.Failed() {
		file, from, err := f.resumes()
		if err != nil {
			f.Error(err)
			return
		}
		life, end := context.WithCancel(ctx)
		f.mu.Lock()
		f.end = end
		f.mu.Unlock()
		_ = f.run(life, from, file) // the service was killed, or the run
		end()
		if err := file.Close(); err != nil {
			f.Error(err)
		}
		pause(f, 20*time.Millisecond)
	}
}

// kill ends a run.
func (f *follower) kill() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.end()
	f.lives++
}

// resumes opens the file after its last complete line, and returns that event's cursor.
func (f *follower) resumes() (file *os.File, from string, err error) {
	all := f.heard()
	if len(all) > 0 {
		from = all[len(all)-1].Cursor
	}
	if file, err = os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, "", err
	}
	text, err := io.ReadAll(file)
	if err == nil {
		err = file.Truncate(int64(bytes.LastIndexByte(text, '\n') + 1))
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekEnd)
	}
	return file, from, err
}

// heard returns the complete lines of the file.
func (f *follower) heard() []api.Event {
	text, err := os.ReadFile(f.path)
	if err != nil && !os.IsNotExist(err) {
		f.Error(err)
	}
	return f.events(f.name, text)
}

func (p *party) events(of string, lines []byte) (all []api.Event) {
	for line := range bytes.Lines(lines) {
		var e api.Event
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if err := json.Unmarshal(line, &e); err != nil {
			p.Errorf("%s: %v: %s", of, err, line)
			return all
		}
		all = append(all, e)
	}
	return all
}

// rebuilds compares a follower's events with all committed ones: each event once, a wallet's in
// their order; the balances, summed up from their changes, and the rounds must be those that the
// players were told.
func (p *party) rebuilds(name string, all []api.Event, committed map[string]bool) {
	p.Helper()
	ids, last := map[string]bool{}, map[string]string{}
	balances, rounds := map[string]int64{}, map[string]int64{}
	for _, e := range all {
		var data struct {
			ID, Wallet, Token              string
			Amount, Balance, Wager, Payout int64
		}
		if err := e.Read(&data); err != nil {
			p.Fatalf("%s: %v", name, err)
		}
		if ids[e.ID] || !committed[e.ID] {
			p.Errorf("%s heard %s %s, which was heard before: %v, and is committed: %v", name, e.Type, e.ID, ids[e.ID], committed[e.ID])
		}
		ids[e.ID] = true
		if data.Wallet != "" {
			if before := last[data.Wallet]; e.Sequence <= before {
				p.Errorf("%s heard %s with %s after %s of the same wallet", name, e.Type, e.Sequence, before)
			}
			last[data.Wallet] = e.Sequence
		}
		switch e.Type {
		case "casino.balance.changed":
			of := data.Wallet + " " + data.Token
			if balances[of] += data.Amount; balances[of] != data.Balance {
				p.Errorf("%s: the balance of %s becomes %d, the event says %d", name, of, balances[of], data.Balance)
			}
		case "casino.round.settled":
			rounds[data.ID] = data.Payout - data.Wager
		}
	}
	if len(ids) != len(committed) {
		p.Errorf("%s heard %d of %d events", name, len(ids), len(committed))
	}
	answered := 0
	for _, g := range p.players {
		if got := balances[string(fakes.Wallet(g.name))+" "+sol]; got != g.balance {
			p.Errorf("%s: by its events %s has %d, by its answers %d", name, g.name, got, g.balance)
		}
		for id, won := range g.rounds {
			if got, heard := rounds[id]; !heard || got != won {
				p.Errorf("%s heard that round %s won %d (%v), its player that it won %d", name, id, got, heard, won)
			}
		}
		answered += len(g.rounds)
	}
	if len(rounds) != answered {
		p.Errorf("%s heard of %d rounds, players of %d", name, len(rounds), answered)
	}
}

// committed returns the ids of all events, read at once.
func (p *party) committed() map[string]bool {
	p.Helper()
	ids := map[string]bool{}
	for _, e := range p.events("casino events", []byte(p.instances[0].run("events"))) {
		ids[e.ID] = true
	}
	return ids
}

// caughtUp waits until a follower has read this many events.
func (f *follower) caughtUp(events int) []api.Event {
	f.Helper()
	eventually(f, fmt.Sprintf("%s has heard %d events", f.name, events), func() bool {
		pause(f, 100*time.Millisecond)
		return f.Failed() || len(f.heard()) >= events
	})
	return f.heard()
}
