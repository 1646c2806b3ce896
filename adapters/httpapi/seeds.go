package httpapi

import (
	"context"
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/ports"
)

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

// expectedHashMax is as long as a hash in hexadecimal digits; any text up to
// there is some other pair's, as far as we know.
const expectedHashMax = 64

func (a *API) rotateSeed(r *request) (answer, error) {
	f := r.optionalBody()
	wanted := play.RotateRequest{
		ClientSeed:         f.ClientSeed(false),
		ExpectedCommitment: f.Limited("expectedServerSeedHash", expectedHashMax),
	}
	wanted.Idempotency = r.idempotency(f)
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
		Seed: seedOf(rotated.Active),
	}}, nil
}

func revealedPairOf(p fairness.Revealed) api.RevealedPair {
	return api.RevealedPair{
		ID: p.ID, ServerSeed: p.ServerSeed, ServerSeedHash: p.Commitment,
		ClientSeed: p.ClientSeed, ClientSeedSource: p.ClientSource.String(), Rounds: p.Rounds,
	}
}

func (a *API) seedHistory(r *request) (answer, error) {
	return list[struct{}, fairness.Revealed, api.RevealedPair]{
		page: func(ctx context.Context, _ struct{}, page ports.Page) ([]fairness.Revealed, ports.PageInfo, error) {
			found, err := a.casino.Play.SeedHistory(ctx, r.caller, page)
			return found.Pairs, found.PageInfo, err
		},
		row: revealedPairOf,
		body: func(rows []api.RevealedPair, info api.PageInfo) any {
			return api.RevealedPairPage{Seeds: rows, PageInfo: info}
		},
	}.serve(a, r)
}
