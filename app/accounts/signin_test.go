package accounts_test

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
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// Each row adds one error, from the last check to the first. The first error in the
// documented order must be reported.
func TestSignInRefusesInTheDocumentedOrder(t *testing.T) {
	t.Parallel()
	h := bare(t)
	h.SignIn("alice")
	good := apptest.Login("alice", h.Clock.Now())
	newcomer := apptest.Login("bob", h.Clock.Now())
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
		h.CheckUnchanged(func() {
			request := step.request
			step.spoil(&request)
			if _, err := h.Accounts.SignIn(h.Ctx, request); !fault.Is(err, step.kind) {
				t.Errorf("%s: got %v, want kind %d", step.name, err, step.kind)
			}
		})
	}
	if _, err := h.Store.Player(h.Ctx, fakes.Wallet("bob")); !fault.Is(err, fault.NotFound) {
		t.Errorf("a refused sign-in made a player: %v", err)
	}
}

func TestTheLoginWindowIncludesItsLimits(t *testing.T) {
	t.Parallel()
	h := bare(t, func(d *app.Deps) {
		d.Settings = app.Settings{LoginMaxAge: 90 * time.Second, LoginMaxAhead: 10 * time.Second}
	})
	// The limits fall on a millisecond only when the clock does.
	h.Clock.Set(fakes.Start.Truncate(time.Millisecond))
	now := h.Clock.Now()
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
		_, err := h.Accounts.SignIn(h.Ctx, apptest.Login(edge.name, now.Add(edge.off)))
		if edge.ok && err != nil {
			t.Errorf("%s: %v", edge.name, err)
		}
		if !edge.ok {
			apptest.Refused(t, err, fault.StaleTimestamp, "serverTime", now.UnixMilli())
		}
	}
}

func TestLoginWindowDefaults(t *testing.T) {
	t.Parallel()
	h := bare(t)
	apptest.Equal(t, "max age", h.Settings.LoginMaxAge, 2*time.Minute)
	apptest.Equal(t, "max ahead", h.Settings.LoginMaxAhead, time.Minute)
}

func TestAbsurdTimestampsAreStale(t *testing.T) {
	t.Parallel()
	h := bare(t)
	for _, millis := range []int64{-1 << 63, -1, 0, 1<<63 - 1} {
		request := apptest.Login("alice", time.UnixMilli(millis))
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, request)), fault.StaleTimestamp)
	}
}

func TestEachLoginMessageOpensOneSession(t *testing.T) {
	t.Parallel()
	h := bare(t)
	request := apptest.Login("alice", h.Clock.Now())
	first := apptest.OK(h.Accounts.SignIn(h.Ctx, request))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, request)), fault.ReplayedLogin)
	session := apptest.OK(h.Accounts.Authenticate(h.Ctx, first.Token))(t)
	apptest.Equal(t, "wallet", session.Wallet, fakes.Wallet("alice"))
	apptest.Equal(t, "end", session.ExpiresAt, first.ExpiresAt)

	// The same timestamp signed by another wallet is another message.
	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("bob", h.Clock.Now())))(t)
	// And so is the next millisecond.
	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Millisecond))))(t)
}

func TestTheFirstSignInCreatesThePlayer(t *testing.T) {
	t.Parallel()
	h := bare(t)
	alice := h.SignIn("alice")
	made := apptest.OK(h.Store.Player(h.Ctx, alice.Wallet))(t)
	if want := (player.Player{Wallet: alice.Wallet, Agent: player.HouseAgent, CreatedAt: fakes.Start}); !reflect.DeepEqual(made, want) {
		t.Fatalf("the player is %+v", made)
	}
	pair := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
	if len(pair.Commitment) != 64 || len(pair.Next.Commitment) != 64 || len(pair.ClientSeed) != 32 || pair.Nonce != 0 {
		t.Fatalf("first pair: %+v", pair)
	}
	apptest.Equal(t, "client seed's source", pair.ClientSource.String(), "server")
	records := h.AuditRecords()
	apptest.Equal(t, "audit records", len(records), 2)
	apptest.Equal(t, "session", records[1].Action, audit.SessionOpened)
	apptest.Equal(t, "action", records[0].Action, audit.PlayerFirstSignedIn)
	apptest.Equal(t, "request", records[0].RequestID, alice.RequestID)

	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Second))))(t)
	records = h.AuditRecords()
	apptest.Equal(t, "audit records after the second sign-in", len(records), 3)
	apptest.Equal(t, "the second session", records[2].By, alice.Wallet)
	if got := apptest.OK(h.Store.Player(h.Ctx, alice.Wallet))(t); !reflect.DeepEqual(got, made) {
		t.Fatalf("player after the second sign-in: the player is %+v", got)
	}
	apptest.Equal(t, "pair after the second sign-in", apptest.OK(h.Play.Seed(h.Ctx, alice))(t).Commitment, pair.Commitment)
}

func TestAgentCodeConcernsNewPlayersOnly(t *testing.T) {
	t.Parallel()
	h := bare(t)
	request := apptest.Login("alice", h.Clock.Now())
	request.AgentCode = "nobody"
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, request)), fault.InvalidAgent, "field", "agentCode")

	// The refusal did not use the message up.
	request.AgentCode = player.HouseAgent
	apptest.OK(h.Accounts.SignIn(h.Ctx, request))(t)

	again := apptest.Login("alice", h.Clock.Advance(time.Second))
	again.AgentCode = "nobody"
	apptest.OK(h.Accounts.SignIn(h.Ctx, again))(t)
	apptest.Equal(t, "agent", apptest.OK(h.Store.Player(h.Ctx, fakes.Wallet("alice")))(t).Agent, player.HouseAgent)
}

func TestSignOutEndsTheSessionsUntilNow(t *testing.T) {
	t.Parallel()
	h := bare(t)
	first := apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Now())))(t)
	second := apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Second))))(t)
	bob := apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("bob", h.Clock.Now())))(t)
	if err := h.Accounts.SignOut(h.Ctx, apptest.Caller("alice")); err != nil {
		t.Fatal(err)
	}
	for _, ended := range []string{first.Token, second.Token} {
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.Authenticate(h.Ctx, ended)), fault.InvalidToken)
	}
	apptest.OK(h.Accounts.Authenticate(h.Ctx, bob.Token))(t)
	next := apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Millisecond))))(t)
	apptest.OK(h.Accounts.Authenticate(h.Ctx, next.Token))(t)
	if !slices.ContainsFunc(h.AuditRecords(), func(r audit.Record) bool {
		return r.Action == audit.SessionsEnded && r.By == fakes.Wallet("alice") && r.RequestID == "request of alice"
	}) {
		t.Fatal("the sign-out was not recorded")
	}
}

func TestSignOutAfterAClockStepRevivesNothing(t *testing.T) {
	t.Parallel()
	h := bare(t)
	ended := apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Now())))(t)
	for _, step := range []time.Duration{time.Second, -30 * time.Second} {
		h.Clock.Advance(step)
		if err := h.Accounts.SignOut(h.Ctx, apptest.Caller("alice")); err != nil {
			t.Fatal(err)
		}
	}
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.Authenticate(h.Ctx, ended.Token)), fault.InvalidToken)
}

func TestAuthenticateRefuses(t *testing.T) {
	t.Parallel()
	h := bare(t)
	stranger, _, err := h.Sessions.Issue(fakes.Wallet("stranger"))
	if err != nil {
		t.Fatal(err)
	}
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.Authenticate(h.Ctx, stranger)), fault.InvalidToken)
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.Authenticate(h.Ctx, "nonsense")), fault.InvalidToken)
	old := apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Now())))(t)
	h.Clock.Advance(30 * time.Minute)
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.Authenticate(h.Ctx, old.Token)), fault.ExpiredToken)
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
