package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

const (
	sol     = "So11111111111111111111111111111111111111112"
	program = "SCREENING_TEST_PROGRAM"
)

// TestMain runs the program itself when the tests start it.
func TestMain(m *testing.M) {
	if os.Getenv(program) == "" {
		os.Exit(m.Run())
	}
	main()
}

// world is a casino with two players, their admins, and the program beside it.
type world struct {
	*testing.T
	dev    *services.Dev
	admin  *client.Client // superadmin
	pays   *client.Client // finance
	folder string
	said   *bytes.Buffer
	begun  *exec.Cmd
}

func newWorld(t *testing.T) *world {
	t.Helper()
	folder := t.TempDir()
	w := &world{T: t, dev: services.NewDev(t, filepath.Join(folder, "data")), folder: folder, said: &bytes.Buffer{}}
	bearer := w.dev.SignIn(t, "superadmin")
	w.admin = client.New(w.dev.BaseURL, nil).WithToken(bearer)
	w.pays = client.New(w.dev.BaseURL, nil).WithToken(w.dev.SignIn(t, "finance"))
	w.must(os.WriteFile(w.file("token"), []byte(bearer), 0o600))
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) file(name string) string { return filepath.Join(w.folder, name) }

// begin starts the program as a process.
func (w *world) begin() {
	w.Helper()
	w.begun = exec.Command(os.Args[0], w.dev.BaseURL, w.file("token"), w.file("cursor"), w.file("listed"), sol+"=2000000000")
	w.begun.Env, w.begun.Stderr = append(os.Environ(), program+"=1"), w.said
	w.must(w.begun.Start())
	w.Cleanup(w.kill)
}

// kill ends it like a power cut.
func (w *world) kill() {
	_ = w.begun.Process.Kill()
	_ = w.begun.Wait()
}

// player returns a player who deposited on chain.
func (w *world) player(name, amount string) (as *client.Client, address string) {
	w.Helper()
	path, err := services.Binary()
	w.must(err)
	key := ""
	for _, one := range w.dev.Wallets {
		if one.Name == name {
			key, address = one.KeypairFile, one.Address
		}
	}
	if out, err := exec.Command(path, "pay", "--data-dir", w.file("data"), key, amount).CombinedOutput(); err != nil {
		w.Fatalf("paying in: %v\n%s", err, out)
	}
	return client.New(w.dev.BaseURL, nil).WithToken(w.dev.SignIn(w.T, name)), address
}

// eventually waits until is returns true.
func (w *world) eventually(what string, is func() bool) {
	w.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(20 * time.Second); !is(); <-again.C {
		if time.Now().After(end) {
			w.kill()
			w.Fatalf("%s: not within 20 s; the program said %s", what, w.said)
		}
	}
}

func (w *world) frozen(address string) bool {
	w.Helper()
	found, err := w.admin.AdminPlayer(w.Context(), address, api.AdminPlayerParams{})
	w.must(err)
	return found.Exclusion.Status == protection.Frozen
}

// withdraw requests a withdrawal, to the player's own wallet if no destination is given.
func (w *world) withdraw(as *client.Client, amount int64, destination string) string {
	w.Helper()
	asked, err := as.Withdraw(w.Context(), api.WithdrawRequest{Token: sol, Amount: amount, Destination: destination})
	w.must(err)
	return asked.Withdrawal.ID
}

func (w *world) approve(id string) {
	w.Helper()
	_, err := w.pays.ApproveWithdrawal(w.Context(), api.ApproveRequest{ID: id})
	w.must(err)
}

func (w *world) withdrawal(id string) api.Withdrawal {
	w.Helper()
	found, err := w.admin.AdminWithdrawal(w.Context(), id)
	w.must(err)
	return found.Withdrawal
}

// refused checks that a withdrawal can't be approved, because its player is frozen.
func (w *world) refused(id string) {
	w.Helper()
	_, err := w.pays.ApproveWithdrawal(w.Context(), api.ApproveRequest{ID: id})
	if found := w.withdrawal(id); client.CodeOf(err) != "PLAYER_FROZEN" || found.Status != "pending" || found.Signature != nil {
		w.Errorf("the approval answered %v; the withdrawal is %+v", err, found)
	}
}

// freezes returns the number of recorded freezes.
func (w *world) freezes(address string) (n int) {
	w.Helper()
	page, err := w.admin.AdminEvents(w.Context(), api.AdminEventsParams{Types: "player.frozen", Wallet: address, Limit: 500})
	w.must(err)
	return len(page.Events)
}

// TestListedPlayersAreFrozenBeforeTheyArePaid checks that a deposit above the limit and a
// withdrawal to a listed address freeze the player, even if they happened while the program was
// killed; nothing is paid until an admin releases the account, and events read again freeze no
// player twice. A player who isn't listed is paid.
func TestListedPlayersAreFrozenBeforeTheyArePaid(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the real binary") // allowed: make test runs it
	}
	w := newWorld(t)
	alice, aliceIs := w.player("alice", "1")
	mallory := string(fakes.Wallet("mallory"))
	w.must(os.WriteFile(w.file("listed"), []byte(mallory+"\n"), 0o600))
	w.begin()

	clean := w.withdraw(alice, 100_000_000, aliceIs)
	w.approve(clean)
	w.eventually("who isn't listed is paid", func() bool { return w.withdrawal(clean).Status == "completed" })

	bob, bobIs := w.player("bob", "1")
	held := w.withdraw(bob, 100_000_000, bobIs)
	w.player("bob", "3") // more than the limit
	w.eventually("a large deposit freezes", func() bool { return w.frozen(bobIs) })
	w.refused(held)

	w.kill()
	if w.frozen(aliceIs) {
		t.Fatal("alice is frozen")
	}
	caught := w.withdraw(alice, 100_000_000, mallory) // while the program is down
	w.begin()
	w.eventually("a withdrawal to a listed address freezes", func() bool { return w.frozen(aliceIs) })
	w.refused(caught)

	for range 5 { // everything is read again
		w.kill()
		w.must(os.Remove(w.file("cursor")))
		w.begin()
		w.eventually("the program has heard everything", func() bool {
			cursor, err := os.ReadFile(w.file("cursor"))
			if err != nil {
				return false
			}
			rest, err := w.admin.AdminEvents(t.Context(), api.AdminEventsParams{Cursor: string(cursor), Types: screened})
			w.must(err)
			return len(rest.Events) == 0
		})
	}
	if a, b := w.freezes(aliceIs), w.freezes(bobIs); a != 1 || b != 1 {
		t.Errorf("alice was frozen %d times, bob %d", a, b)
	}
	_, err := w.admin.Freeze(t.Context(), aliceIs, api.FreezeRequest{Frozen: false, Reason: "looked at it"})
	w.must(err)
	w.approve(caught)
	w.eventually("a released player is paid", func() bool { return w.withdrawal(caught).Status == "completed" })
	w.refused(held)
}
