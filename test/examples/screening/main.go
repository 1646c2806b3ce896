// Command screening freezes players before their money leaves: those with a listed wallet, those
// who withdraw to a listed address, and those who move more than a limit at once. A frozen player
// isn't paid until an admin releases the account. It uses only the casino's public API: GET
// /admin/events and POST /admin/players/{wallet}/freeze.
//
//	casino login --base-url https://casino.example/casino --keypair superadmin.json > token
//	screening https://casino.example/casino token cursor listed.txt So111…112=5000000000
//
// The list has one address per line, the limits are in base units of a token. It begins with the
// first event and continues from the cursor when it is started again. It reads a withdrawal about
// 50 ms after its commit: only approve withdrawals that are some seconds old, and none while it
// is down.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/protection"
)

// screened are the events for which a player is checked.
const screened = "deposit.pending,deposit.review,deposit.credited,withdrawal.requested"

type screening struct {
	casino *client.Client
	path   string // of the cursor
	listed []string
	bounds map[string]int64
}

func main() {
	if len(os.Args) < 5 {
		log.Fatal("usage: screening BASE-URL TOKEN-FILE CURSOR-FILE LIST [TOKEN=BOUND …]")
	}
	list, err := os.ReadFile(os.Args[4])
	s := screening{path: os.Args[3], listed: strings.Fields(string(list)), bounds: map[string]int64{}}
	for _, bound := range os.Args[5:] {
		token, amount, _ := strings.Cut(bound, "=")
		units, broken := strconv.ParseInt(amount, 10, 64)
		s.bounds[token], err = units, errors.Join(err, broken)
	}
	if err != nil {
		log.Fatal(err)
	}
	for {
		bearer, err := os.ReadFile(os.Args[2]) // again: cron may have written a new one
		s.casino = client.New(os.Args[1], nil).WithToken(strings.TrimSpace(string(bearer)))
		log.Printf("again in a second: %v", errors.Join(err, s.run(context.Background())))
		<-time.After(time.Second)
	}
}

// run listens until the stream ends. Continuing from a cursor misses nothing.
func (s *screening) run(ctx context.Context) error {
	last, err := os.ReadFile(s.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	filter := api.AdminEventsParams{Types: screened, Cursor: string(last)}
	if filter.Cursor == "" { // a stream without a cursor begins now, a page with the first event
		filter.Limit = 1
		first, err := s.casino.AdminEvents(ctx, filter)
		for _, e := range first.Events {
			err = errors.Join(err, s.screen(ctx, e))
		}
		if err != nil || first.NextCursor == "" {
			return err
		}
		filter.Cursor, filter.Limit = first.NextCursor, 0
	}
	return s.casino.FollowAdminEvents(ctx, filter, func(cursor string, e api.Event) error {
		if e.Type == "casino.ledger.restored" { // some freezes may be gone: check all players again
			return errors.Join(os.Remove(s.path), errors.New(e.Type))
		}
		if err := s.screen(ctx, e); err != nil {
			return err
		}
		return s.save(cursor)
	})
}

// screen freezes the player of an event if there is a reason. An event that is read again,
// because the program was killed, finds the player frozen.
func (s *screening) screen(ctx context.Context, e api.Event) error {
	var moved struct { // the common fields of deposits and withdrawals
		Wallet, Token, Destination string
		Amount                     int64
	}
	if err := e.Read(&moved); err != nil {
		return err
	}
	reason := ""
	switch bound, bounded := s.bounds[moved.Token]; {
	case slices.Contains(s.listed, moved.Wallet):
		reason = "the wallet is listed"
	case slices.Contains(s.listed, moved.Destination):
		reason = "the destination is listed: " + moved.Destination
	case bounded && moved.Amount > bound:
		reason = fmt.Sprintf("%d base units at once", moved.Amount)
	default:
		return nil
	}
	player, err := s.casino.AdminPlayer(ctx, moved.Wallet, api.AdminPlayerParams{})
	if err != nil || player.Exclusion.Status == protection.Frozen {
		return err
	}
	log.Printf("%s is frozen: %s (%s %s)", moved.Wallet, reason, e.Type, e.Subject)
	_, err = s.casino.Freeze(ctx, moved.Wallet, api.FreezeRequest{
		Frozen: true, Reason: "screening: " + reason + " (" + e.Type + " " + e.Subject + ")",
	})
	return err
}

// save stores the cursor. If a power cut loses it, it is empty: everything is checked again.
func (s *screening) save(cursor string) error {
	if err := os.WriteFile(s.path+".new", []byte(cursor), 0o600); err != nil {
		return err
	}
	return os.Rename(s.path+".new", s.path)
}
