package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/http"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// playRoutes returns the routes of rounds, seeds, pauses of play and verification.
func (a *API) playRoutes() []route {
	return []route{
		{operation.Verify, anyone, verifyWindow, a.verify},
		{operation.Play, bettors, noWindow, a.play},
		{operation.Seed, players, noWindow, a.seed},
		{operation.RotateSeed, players, rotateWindow, a.rotateSeed},
		{operation.SeedHistory, players, noWindow, a.seedHistory},
		{operation.Launch, players, launchWindow, a.launch},
		{operation.PlayPauses, admins(rbac.AdminRead), noWindow, a.playPauses},
		{operation.PausePlay, admins(rbac.AdminWrite), noWindow, a.pausePlay},
		{operation.ResumePlay, admins(rbac.AdminWrite), noWindow, a.resumePlay},
	}
}

// betOf reads the body of a bet.
func (r *request) betOf() (betRequest, error) {
	f := r.readBody()
	order := play.PlayRequest{GameType: f.Text("gameType"), Wager: f.Amount("wager"), Token: f.Token(), Config: f.Config()}
	order.Expected.Commitment = f.Limited(expectedHash, expectedHashMax)
	if f.Has(expectedNonce) {
		nonce := f.Integer(expectedNonce, 0, math.MaxInt64)
		order.Expected.Nonce = &nonce
	}
	order.Idempotency = r.idempotencyKey(f)
	return betRequest{order, f}, f.Err
}

func (a *API) play(r *request) (answer, error) {
	order, err := r.betOf()
	if err != nil {
		return answer{}, err
	}
	played, err := a.casino.Play.Play(r.ctx, r.caller, order.PlayRequest)
	if err != nil {
		return answer{}, a.withReceipt(r, order, err)
	}
	return answer{status: http.StatusOK, replayed: played.Replayed, body: api.Played{
		Round: roundOf(played.Round, ""), Balance: int64(played.Balance), Receipt: a.issueReceipt(r, played.Committed),
	}}, nil
}

// launch answers with the URL of a provider's game for the caller.
func (a *API) launch(r *request) (answer, error) {
	f := r.readBody()
	order := providers.LaunchRequest{GameCode: f.Text("gameCode"), UserCode: f.Text("userCode")}
	if language := f.OptionalText("language"); language != nil {
		if order.Language = *language; *language == "" {
			f.Refuse("language", "must be a language tag such as pt or pt-BR")
		}
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	address := observationOf(r.ctx).client.limitKey()
	if a.launching.takePlace(address, a.launchesAtOnce) == a.launchesAtOnce {
		return answer{}, fault.New(fault.RateLimited, "too many launches at once: at most %d from one address", a.launchesAtOnce).
			With("retryAfterMs", 1000)
	}
	defer a.launching.leaveRequest(address)
	url, err := a.casino.Providers.Launch(r.ctx, r.caller, order)
	return ok(api.LaunchResponse{URL: url}), err
}

func seedOf(p fairness.Pair) api.Seed {
	return api.Seed{
		ServerSeedHash: p.Commitment, ClientSeed: p.ClientSeed, ClientSeedSource: p.ClientSource.String(),
		Nonce: p.Nonce, NextServerSeedHash: p.Next.Commitment,
	}
}

func (a *API) seed(r *request) (answer, error) {
	active, closing, err := a.casino.Play.Seeds(r.ctx, r.caller)
	seed := seedOf(active)
	for _, p := range closing {
		seed.Closing = append(seed.Closing, api.ClosingSeed{
			ServerSeedHash: p.Commitment, ClientSeed: p.ClientSeed.Text, ClientSeedSource: p.ClientSeed.Source.String(), Rounds: p.Rounds,
		})
	}
	return ok(seed), err
}

// The members with which a request expects a seed pair and a nonce.
const (
	expectedHash  = "expectedServerSeedHash"
	expectedNonce = "expectedNonce"
)

// expectedHashMax is the length of a hash in hexadecimal digits. Any text up to this length
// is compared; it may belong to another pair.
const expectedHashMax = 64

func (a *API) rotateSeed(r *request) (answer, error) {
	f := r.optionalBody()
	wanted := play.RotateRequest{
		ClientSeed:         f.ClientSeed(false),
		ExpectedCommitment: f.Limited(expectedHash, expectedHashMax),
	}
	wanted.Idempotency = r.idempotencyKey(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	rotated, err := a.casino.Play.Rotate(r.ctx, r.caller, wanted)
	if err != nil {
		return answer{}, err
	}
	revealed := rotated.Revealed
	return answer{status: http.StatusOK, replayed: rotated.Replayed, body: api.Rotated{
		Revealed: api.RevealedSeed{
			ServerSeed: revealed.ServerSeed, ServerSeedHash: revealed.Commitment,
			ClientSeed: revealed.ClientSeed, Rounds: revealed.Rounds,
		},
		Seed: seedOf(rotated.Active), Receipt: a.issueReceipt(r, rotated.Committed),
	}}, nil
}

func revealedPairOf(p fairness.Revealed) api.RevealedPair {
	return api.RevealedPair{
		ID: p.ID, ServerSeed: p.ServerSeed, ServerSeedHash: p.Commitment,
		ClientSeed: p.ClientSeed, ClientSeedSource: p.ClientSource.String(), Rounds: p.Rounds,
	}
}

func (a *API) seedHistory(r *request) (answer, error) {
	return list[struct{}, fairness.Revealed, api.RevealedPair, api.RevealedPairPage]{
		page: func(ctx context.Context, _ struct{}, page ports.Page) ([]fairness.Revealed, ports.PageInfo, error) {
			found, err := a.casino.Play.SeedHistory(ctx, r.caller, page)
			return found.Pairs, found.PageInfo, err
		},
		row: revealedPairOf,
	}.servePage(a, r)
}

// gameTypeMax is the maximum length of a game's name, in characters.
const gameTypeMax = 100

func pausesOf(pauses []control.PlayPause) answer {
	return ok(api.PlayResponse{Pauses: mapEach(pauses, func(p control.PlayPause) api.PlayPause {
		return api.PlayPause{
			GameType: orNull(p.GameType), AgentCode: orNull(p.AgentCode), By: orNull(string(p.By)), Reason: p.Reason, PausedAt: unixMillis(p.At),
		}
	})})
}

func (a *API) playPauses(r *request) (answer, error) {
	pauses, err := a.casino.Play.PlayPauses(r.ctx, r.caller)
	return pausesOf(pauses), err
}

func (a *API) pausePlay(r *request) (answer, error) { return turnPlay(r, a.casino.Play.PausePlay) }

func (a *API) resumePlay(r *request) (answer, error) { return turnPlay(r, a.casino.Play.ResumePlay) }

func turnPlay(r *request, turn func(context.Context, app.Caller, play.PlayPauseRequest) ([]control.PlayPause, error)) (answer, error) {
	f := r.readBody()
	var asked play.PlayPauseRequest
	if f.Has("gameType") {
		asked.GameType = f.Limited("gameType", gameTypeMax)
	}
	if f.Has("agentCode") {
		asked.AgentCode = f.Limited("agentCode", agentCodeMax)
	}
	asked.Reason = f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	pauses, err := turn(r.ctx, r.caller, asked)
	return pausesOf(pauses), err
}

// rulesNameMax is the maximum length of the name of a game's rules, in characters.
const rulesNameMax = 64

// verify recomputes a round. It reads no stored data, so it can't reveal a player's seeds.
func (a *API) verify(r *request) (answer, error) {
	f := r.readBody()
	claim := game.RoundInputs{GameType: f.Text("gameType"), Rules: f.Limited("rules", rulesNameMax), Config: f.Config(), ServerSeed: f.Text("serverSeed")}
	if seed := f.ClientSeed(true); seed != nil {
		claim.ClientSeed = *seed
	}
	claim.Nonce = f.Integer("nonce", 0, math.MaxInt64)
	var refused error
	if claim.Actions, refused = game.ActionsOf(f.Value("actions")); refused != nil {
		f.Fail(refused)
	}
	source := fairness.FromPlayer
	if named := f.OptionalText("clientSeedSource"); named != nil {
		var known bool
		if source, known = fairness.ParseClientSource(*named); !known {
			f.Refuse("clientSeedSource", "must be player, server or repeated")
		}
	}
	var opened *openedRound
	f.Object("opened", openedNames, func(inner *parse.Fields) { opened = openedOf(inner) })
	if opened != nil && claim.Actions == nil {
		f.Refuse("opened", "is of a round with actions")
	}
	var expected *game.Expected
	void := false
	f.Object("expected", expectedNames, func(inner *parse.Fields) {
		void = inner.Null("outcome")
		expected = expectedOf(inner)
	})
	if f.Err != nil {
		return answer{}, f.Err
	}
	result, commitment, err := a.casino.VerifyRound(claim)
	if err != nil {
		return answer{}, err
	}
	body := api.Verified{Outcome: valueJSON(result.Outcome), Multiplier: ratioNumber(result.Multiplier), ServerSeedHash: commitment, Notes: []string{}}
	differences := []string{}
	if opened != nil {
		if err := opened.checkConfig(a.casino.Games, claim); err != nil {
			differences = append(differences, "config")
			body.Notes = append(body.Notes, "The bound of the round is not the published one: "+err.Error())
		}
	}
	if void {
		body.Notes = append(body.Notes, game.VoidNote(result.Multiplier, expected.Wager))
		result = game.Refund()
	}
	if expected != nil {
		differences = append(differences, expected.Differences(result, commitment)...)
	}
	if expected != nil || opened != nil {
		matches := len(differences) == 0
		body.Matches, body.Differences = &matches, differences
	}
	if unproven := source.Unproven(); unproven != "" {
		body.Notes = append(body.Notes, unproven)
	}
	return ok(body), nil
}

// openedRound holds the values at the opening of a stepped round.
type openedRound struct {
	asked            game.Value
	wager, maxPayout money.Amount
}

var openedNames = []string{"asked", "wager", "maxPayout"}

func openedOf(f *parse.Fields) *openedRound {
	return &openedRound{f.Value("asked"), money.Amount(f.Amount("wager")), money.Amount(f.Amount("maxPayout"))}
}

// checkConfig returns an error if the claim's config doesn't follow from the opening.
func (o openedRound) checkConfig(games *game.Registry, claim game.RoundInputs) error {
	rules, err := games.Rules(claim.GameType, claim.Rules)
	if err != nil {
		return err
	}
	return bet.CheckConfig(rules, claim.Config, o.asked, o.wager, o.maxPayout)
}

var expectedNames = []string{"serverSeedHash", "outcome", "multiplier", "wager", "payout"}

func isHash(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == sha256.Size && strings.ToLower(text) == text
}

// expectedOf reads the expected round to compare with.
func expectedOf(f *parse.Fields) *game.Expected {
	e := &game.Expected{Outcome: f.Value("outcome"), Multiplier: f.Value("multiplier")}
	if hash := f.OptionalText("serverSeedHash"); hash != nil {
		if e.Commitment = *hash; !isHash(*hash) {
			f.Refuse("serverSeedHash", "must be %d hexadecimal digits in lower case", 2*sha256.Size)
		}
	}
	if f.Has("outcome") && e.Outcome.Kind() != game.ObjectKind {
		f.Refuse("outcome", "must be an object, or null for a void round")
	}
	if f.Has("multiplier") && (e.Multiplier.Kind() != game.NumberKind || strings.ContainsAny(e.Multiplier.NumberText(), "eE")) {
		f.Refuse("multiplier", "must be a number without an exponent")
	}
	if f.Has("wager") {
		wager := money.Amount(f.Amount("wager"))
		e.Wager = &wager
	}
	if f.Has("payout") {
		payout := money.Amount(f.AmountFrom("payout", 0))
		e.Payout = &payout
		f.Need("wager")
	}
	return e
}
