package httpapi

import (
	"net/http"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fairness"
)

// seedBody is an active pair. It has no field that could hold a server seed.
type seedBody struct {
	ServerSeedHash     string `json:"serverSeedHash"`
	ClientSeed         string `json:"clientSeed"`
	ClientSeedSource   string `json:"clientSeedSource"`
	Nonce              int64  `json:"nonce"`
	NextServerSeedHash string `json:"nextServerSeedHash"`
}

func seedOf(p fairness.Pair) seedBody {
	return seedBody{
		ServerSeedHash: p.Commitment, ClientSeed: p.ClientSeed, ClientSeedSource: p.ClientSource.String(),
		Nonce: p.Nonce, NextServerSeedHash: p.Next.Commitment,
	}
}

func (a *API) seed(r *request) (answer, error) {
	pair, err := a.casino.Seed(r.context(), r.caller)
	return ok(seedOf(pair)), err
}

type revealedBody struct {
	ServerSeed     string `json:"serverSeed"`
	ServerSeedHash string `json:"serverSeedHash"`
	ClientSeed     string `json:"clientSeed"`
	Rounds         int64  `json:"rounds"`
}

// expectedHashMax is as long as a hash in hexadecimal digits; any text up to
// there is some other pair's, as far as we know.
const expectedHashMax = 64

func (a *API) rotateSeed(r *request) (answer, error) {
	f := r.optionalBody("clientSeed", "expectedServerSeedHash")
	wanted := app.RotateRequest{
		ClientSeed:         f.clientSeed(false),
		ExpectedCommitment: f.limited("expectedServerSeedHash", expectedHashMax),
	}
	wanted.Idempotency = r.idempotency(f)
	if f.err != nil {
		return answer{}, f.err
	}
	rotated, err := a.casino.Rotate(r.context(), r.caller, wanted)
	if err != nil {
		return answer{}, err
	}
	revealed := rotated.Revealed
	return answer{status: http.StatusOK, replayed: rotated.Replayed, body: struct {
		Revealed revealedBody `json:"revealed"`
		Seed     seedBody     `json:"seed"`
	}{
		revealedBody{
			ServerSeed: revealed.ServerSeed, ServerSeedHash: revealed.Commitment,
			ClientSeed: revealed.ClientSeed, Rounds: revealed.Rounds,
		},
		seedOf(rotated.Active),
	}}, nil
}

type revealedPair struct {
	ID               string `json:"id"`
	ServerSeed       string `json:"serverSeed"`
	ServerSeedHash   string `json:"serverSeedHash"`
	ClientSeed       string `json:"clientSeed"`
	ClientSeedSource string `json:"clientSeedSource"`
	Rounds           int64  `json:"rounds"`
}

func (a *API) seedHistory(r *request) (answer, error) {
	f := r.filters()
	wanted := f.page()
	if f.err != nil {
		return answer{}, f.err
	}
	found, err := a.casino.SeedHistory(r.context(), r.caller, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Seeds    []revealedPair `json:"seeds"`
		listInfo `json:",inline"`
	}{each(found.Pairs, revealedPairOf), listOf(wanted, found.PageInfo)}), nil
}

func revealedPairOf(p fairness.Revealed) revealedPair {
	return revealedPair{
		ID: p.ID, ServerSeed: p.ServerSeed, ServerSeedHash: p.Commitment,
		ClientSeed: p.ClientSeed, ClientSeedSource: p.ClientSource.String(), Rounds: p.Rounds,
	}
}
