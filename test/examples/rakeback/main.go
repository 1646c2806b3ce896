// Command rakeback returns a share of their stakes to players. It uses only the casino's public
// API: it reads rounds from GET /admin/events, sums up each player's share, and credits it by
// PATCH /admin/balances. Run it with cron as often as players are to be paid, one process at a
// time:
//
//	casino login --base-url https://casino.example/casino --keypair finance.json > token
//	flock rakeback.lock rakeback https://casino.example/casino token rakeback.json
//
// Begin with `echo '{}' > rakeback.json`, which counts every round from the first on; therefore
// the program doesn't create this file itself. It may be killed at any time; the next run
// continues.
package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
)

const perMillion = 5_000 // millionths of each stake to return

// rakeback is the program with its state, which is saved before anything depends on it.
type rakeback struct {
	casino *client.Client
	path   string

	Cursor string              // the rounds up to here were added to Owed
	Owed   map[string]*big.Int // by "wallet token", in millionths of a base unit: exact
	Since  string              // where the period of Owed began
	Paying map[string]int64    // the shares of the previous period that are not paid yet
	Period string              // names that period in keys: its beginning
	Closed time.Time           // when it ended
}

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: rakeback BASE-URL TOKEN-FILE STATE-FILE")
	}
	bearer, err := os.ReadFile(os.Args[2])
	casino := client.New(os.Args[1], &http.Client{Timeout: time.Minute}).WithToken(strings.TrimSpace(string(bearer)))
	r := rakeback{casino: casino, path: os.Args[3], Owed: map[string]*big.Int{}, Paying: map[string]int64{}}
	if err = errors.Join(err, r.run(context.Background())); err != nil {
		log.Fatal(err)
	}
}

// run pays what an earlier run left, reads later rounds, and pays their shares.
func (r *rakeback) run(ctx context.Context) error {
	text, err := os.ReadFile(r.path)
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err == nil {
		err = r.pay(ctx)
	}
	for more := true; more && err == nil; {
		more, err = r.hear(ctx)
	}
	if err != nil || r.Cursor == r.Since {
		return err
	}
	r.Period, r.Since, r.Closed = r.Since, r.Cursor, time.Now()
	for of, owed := range r.Owed {
		if units, rest := new(big.Int).QuoRem(owed, big.NewInt(1e6), new(big.Int)); units.Sign() > 0 && units.IsInt64() {
			r.Paying[of], r.Owed[of] = units.Int64(), rest
		}
	}
	if err := r.save(); err != nil {
		return err
	}
	return r.pay(ctx)
}

// hear adds a page of rounds to Owed.
func (r *rakeback) hear(ctx context.Context) (more bool, err error) {
	page, err := r.casino.AdminEvents(ctx, api.AdminEventsParams{Limit: 500, Cursor: r.Cursor, Types: "round.settled"})
	for _, e := range page.Events {
		var round api.EventRound
		if err := e.Read(&round); err != nil || e.Type != "casino.round.settled" { // ledger.restored: rounds are gone
			return false, errors.Join(err, fmt.Errorf("%s: a person compares what was paid with the rounds there are", e.Type))
		}
		r.owe(round.Wallet+" "+round.Token, round.Wager, perMillion)
	}
	if err != nil || page.NextCursor == r.Cursor {
		return false, err
	}
	r.Cursor = page.NextCursor
	return page.More, r.save()
}

// owe adds millionths of an amount.
func (r *rakeback) owe(of string, amount, millionths int64) {
	sum := new(big.Int).Mul(big.NewInt(amount), big.NewInt(millionths))
	r.Owed[of] = sum.Add(sum, cmp.Or(r.Owed[of], new(big.Int)))
}

// pay credits the shares in Paying. Period, player and token are the key: a credit made before
// the program was killed is answered again, and not made again.
func (r *rakeback) pay(ctx context.Context) error {
	if len(r.Paying) > 0 && time.Since(r.Closed) > 29*24*time.Hour { // keys are valid for 30 days
		return errors.New("too old to be repeated: a person compares what is to be paid with the adjustments there are")
	}
	for _, of := range slices.Sorted(maps.Keys(r.Paying)) {
		wallet, token, _ := strings.Cut(of, " ")
		_, err := r.casino.AdjustBalance(ctx, wallet, api.AdjustRequest{Token: token, Amount: r.Paying[of], Reason: "rakeback",
			IdempotencyKey: fmt.Sprintf("rakeback-%x", sha256.Sum256([]byte(r.Period+" "+of)))})
		if code := client.CodeOf(err); code == "AMOUNT_OUT_OF_RANGE" || code == "FORBIDDEN" { // too much, or the admin's own
			log.Printf("%s: %v", of, err)
			r.owe(of, r.Paying[of], 1e6) // a later period tries again
			err = nil
		}
		if delete(r.Paying, of); err == nil {
			err = r.save()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// save replaces the file atomically: a power cut leaves the old file or the new one.
func (r *rakeback) save() error {
	file, err := os.Create(r.path + ".new")
	if err != nil {
		return err
	}
	if err = errors.Join(json.NewEncoder(file).Encode(r), file.Sync(), file.Close()); err == nil {
		err = os.Rename(r.path+".new", r.path)
	}
	if folder, opened := os.Open(filepath.Dir(r.path)); err == nil && opened == nil {
		err = errors.Join(folder.Sync(), folder.Close())
	}
	return err
}
