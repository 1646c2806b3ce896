package app_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// records lists every audit record, oldest first.
func (h *house) records() (all []audit.Record) {
	h.t.Helper()
	if err := h.store.Blocks(h.ctx, func(b ports.Block) error { all = append(all, b.Audit...); return nil }); err != nil {
		h.t.Fatal(err)
	}
	return all
}

// Each row breaks one more thing, from the last check to the first: the first wrong
// thing in the documented order is the one that is named.
func TestSignInRefusesInTheDocumentedOrder(t *testing.T) {
	t.Parallel()
	h := bare(t)
	h.enter("alice")
	good := login("alice", h.clock.Now())
	newcomer := login("bob", h.clock.Now())
	stale := newcomer
	stale.Timestamp -= 1_000_000
	steps := []struct {
		name    string
		request accounts.SignInRequest
		spoil   func(*accounts.SignInRequest)
		kind    fault.Kind
	}{
		{"replay", good, func(*accounts.SignInRequest) {}, fault.ReplayedLogin},
		{"agent", newcomer, func(r *accounts.SignInRequest) { r.AgentCode = "nobody" }, fault.InvalidAgent},
		{"signature before agent", newcomer, func(r *accounts.SignInRequest) { r.AgentCode, r.Signature = "nobody", good.Signature }, fault.InvalidSignature},
		{"signature before replay", good, func(r *accounts.SignInRequest) { r.Signature = make([]byte, 64) }, fault.InvalidSignature},
		{"short signature", good, func(r *accounts.SignInRequest) { r.Signature = r.Signature[:63] }, fault.InvalidSignature},
		{"timestamp before signature", stale, func(r *accounts.SignInRequest) { r.Signature = nil }, fault.StaleTimestamp},
		{"wallet before timestamp", stale, func(r *accounts.SignInRequest) { r.Wallet = "nobody" }, fault.Invalid},
	}
	for _, step := range steps {
		h.unchanged(func() {
			request := step.request
			step.spoil(&request)
			if _, err := h.Accounts.SignIn(h.ctx, request); !fault.Is(err, step.kind) {
				t.Errorf("%s: got %v, want kind %d", step.name, err, step.kind)
			}
		})
	}
	if _, err := h.store.Player(h.ctx, fakes.Wallet("bob")); !fault.Is(err, fault.NotFound) {
		t.Errorf("a refused sign-in made a player: %v", err)
	}
}

func TestTheLoginWindowIncludesItsLimits(t *testing.T) {
	t.Parallel()
	h := bare(t, func(d *app.Deps) {
		d.Settings = app.Settings{LoginMaxAge: 90 * time.Second, LoginMaxAhead: 10 * time.Second}
	})
	// The limits fall on a millisecond only when the clock does.
	h.clock.Set(fakes.Start.Truncate(time.Millisecond))
	now := h.clock.Now()
	for _, edge := range []struct {
		name string
		off  time.Duration
		ok   bool
	}{
		{"as old as may be", -90 * time.Second, true},
		{"a millisecond older", -90*time.Second - time.Millisecond, false},
		{"as far ahead as may be", 10 * time.Second, true},
		{"a millisecond further", 10*time.Second + time.Millisecond, false},
	} {
		_, err := h.Accounts.SignIn(h.ctx, login(edge.name, now.Add(edge.off)))
		if edge.ok && err != nil {
			t.Errorf("%s: %v", edge.name, err)
		}
		if !edge.ok {
			refused(t, err, fault.StaleTimestamp, "serverTime", now.UnixMilli())
		}
	}
}

func TestLoginWindowDefaults(t *testing.T) {
	t.Parallel()
	h := bare(t)
	equal(t, "max age", h.Settings.LoginMaxAge, 2*time.Minute)
	equal(t, "max ahead", h.Settings.LoginMaxAhead, time.Minute)
}

func TestAbsurdTimestampsAreStale(t *testing.T) {
	t.Parallel()
	h := bare(t)
	for _, millis := range []int64{-1 << 63, -1, 0, 1<<63 - 1} {
		request := login("alice", time.UnixMilli(millis))
		refused(t, no(h.Accounts.SignIn(h.ctx, request)), fault.StaleTimestamp)
	}
}

func TestEachLoginMessageOpensOneSession(t *testing.T) {
	t.Parallel()
	h := bare(t)
	request := login("alice", h.clock.Now())
	first := ok(h.Accounts.SignIn(h.ctx, request))(t)
	refused(t, no(h.Accounts.SignIn(h.ctx, request)), fault.ReplayedLogin)
	session := ok(h.Accounts.Authenticate(h.ctx, first.Token))(t)
	equal(t, "wallet", session.Wallet, fakes.Wallet("alice"))
	equal(t, "end", session.ExpiresAt, first.ExpiresAt)

	// The same timestamp signed by another wallet is another message.
	ok(h.Accounts.SignIn(h.ctx, login("bob", h.clock.Now())))(t)
	// And so is the next millisecond.
	ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Millisecond))))(t)
}

func TestTheFirstSignInCreatesThePlayer(t *testing.T) {
	t.Parallel()
	h := bare(t)
	alice := h.enter("alice")
	made := ok(h.store.Player(h.ctx, alice.Wallet))(t)
	if want := (player.Player{Wallet: alice.Wallet, Agent: player.HouseAgent, CreatedAt: fakes.Start}); !reflect.DeepEqual(made, want) {
		t.Fatalf("the player is %+v", made)
	}
	pair := ok(h.Play.Seed(h.ctx, alice))(t)
	if len(pair.Commitment) != 64 || len(pair.Next.Commitment) != 64 || len(pair.ClientSeed) != 32 || pair.Nonce != 0 {
		t.Fatalf("first pair: %+v", pair)
	}
	equal(t, "client seed's source", pair.ClientSource.String(), "server")
	records := h.records()
	equal(t, "audit records", len(records), 2)
	equal(t, "session", records[1].Action, audit.SessionOpened)
	equal(t, "action", records[0].Action, audit.PlayerFirstSignedIn)
	equal(t, "request", records[0].RequestID, alice.RequestID)

	ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	records = h.records()
	equal(t, "audit records after the second sign-in", len(records), 3)
	equal(t, "the second session", records[2].By, alice.Wallet)
	if got := ok(h.store.Player(h.ctx, alice.Wallet))(t); !reflect.DeepEqual(got, made) {
		t.Fatalf("player after the second sign-in: the player is %+v", got)
	}
	equal(t, "pair after the second sign-in", ok(h.Play.Seed(h.ctx, alice))(t).Commitment, pair.Commitment)
}

func TestAgentCodeConcernsNewPlayersOnly(t *testing.T) {
	t.Parallel()
	h := bare(t)
	request := login("alice", h.clock.Now())
	request.AgentCode = "nobody"
	refused(t, no(h.Accounts.SignIn(h.ctx, request)), fault.InvalidAgent, "field", "agentCode")

	// The refusal did not use the message up.
	request.AgentCode = player.HouseAgent
	ok(h.Accounts.SignIn(h.ctx, request))(t)

	again := login("alice", h.clock.Advance(time.Second))
	again.AgentCode = "nobody"
	ok(h.Accounts.SignIn(h.ctx, again))(t)
	equal(t, "agent", ok(h.store.Player(h.ctx, fakes.Wallet("alice")))(t).Agent, player.HouseAgent)
}

func TestSignOutEndsTheSessionsUntilNow(t *testing.T) {
	t.Parallel()
	h := bare(t)
	first := ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Now())))(t)
	second := ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	bob := ok(h.Accounts.SignIn(h.ctx, login("bob", h.clock.Now())))(t)
	if err := h.Accounts.SignOut(h.ctx, caller("alice")); err != nil {
		t.Fatal(err)
	}
	for _, ended := range []string{first.Token, second.Token} {
		refused(t, no(h.Accounts.Authenticate(h.ctx, ended)), fault.InvalidToken)
	}
	ok(h.Accounts.Authenticate(h.ctx, bob.Token))(t)
	next := ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Millisecond))))(t)
	ok(h.Accounts.Authenticate(h.ctx, next.Token))(t)
	if !slices.ContainsFunc(h.records(), func(r audit.Record) bool {
		return r.Action == audit.SessionsEnded && r.By == fakes.Wallet("alice") && r.RequestID == "request of alice"
	}) {
		t.Fatal("the sign-out was not recorded")
	}
}

func TestSignOutAfterAClockStepRevivesNothing(t *testing.T) {
	t.Parallel()
	h := bare(t)
	ended := ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Now())))(t)
	for _, step := range []time.Duration{time.Second, -30 * time.Second} {
		h.clock.Advance(step)
		if err := h.Accounts.SignOut(h.ctx, caller("alice")); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, no(h.Accounts.Authenticate(h.ctx, ended.Token)), fault.InvalidToken)
}

func TestAuthenticateRefuses(t *testing.T) {
	t.Parallel()
	h := bare(t)
	stranger, _, err := h.Sessions.Issue(fakes.Wallet("stranger"))
	if err != nil {
		t.Fatal(err)
	}
	refused(t, no(h.Accounts.Authenticate(h.ctx, stranger)), fault.InvalidToken)
	refused(t, no(h.Accounts.Authenticate(h.ctx, "nonsense")), fault.InvalidToken)
	old := ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Now())))(t)
	h.clock.Advance(30 * time.Minute)
	refused(t, no(h.Accounts.Authenticate(h.ctx, old.Token)), fault.ExpiredToken)
}

func TestNewNamesEverythingMissing(t *testing.T) {
	t.Parallel()
	_, err := app.New(app.Deps{})
	if err == nil {
		t.Fatal("a casino of nothing")
	}
	want := []string{"Chain", "Clock", "Entropy", "Sessions", "Games"}
	for field := range reflect.TypeFor[app.Store]().Fields() {
		want = append(want, "Store."+field.Name)
	}
	for _, name := range want {
		if !strings.Contains(err.Error()+"\n", "app: Deps."+name+" is missing\n") {
			t.Errorf("%s is not named: %v", name, err)
		}
	}
}
