package client

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"sync"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// Player is a Client that sends the expected seed pair and nonce with each bet, so that the
// service can't draw from another pair. If the player didn't choose the client seed of the
// active pair, it rotates to a random one before the first bet, unless open rounds use the
// pair. It sends one bet at a time. Other methods are the Client's.
//
// Use one Player a session. If another device bets too, the pair is read again.
type Player struct {
	*Client
	bets  sync.Mutex
	state sync.Mutex
	pair  *expectedPair // nil to read it
}

type expectedPair struct {
	hash  string
	nonce int64
}

// Player returns a Player of the client's session.
func (c *Client) Player() *Player { return &Player{Client: c} }

// Play is Client.Play with the expected pair. If the service has another one, the pair is
// read again and the bet is sent once more. After a request without an
// answer the expected pair stays the same, so that sending the bet again with its
// IdempotencyKey repeats the request.
func (p *Player) Play(ctx context.Context, bet api.PlayRequest) (api.Played, error) {
	return placeBet(ctx, p, bet, p.Client.Play, func(played api.Played) *api.Round { return &played.Round })
}

// OpenRound is Client.OpenRound with the expected pair, as in Play.
func (p *Player) OpenRound(ctx context.Context, bet api.PlayRequest) (api.Stepped, error) {
	return placeBet(ctx, p, bet, p.Client.OpenRound, func(stepped api.Stepped) *api.Round {
		if open := stepped.Open; open != nil {
			return &api.Round{ServerSeedHash: &open.ServerSeedHash, Nonce: &open.Nonce, Outcome: []byte("{}")}
		}
		return stepped.Ended
	})
}

// RotateSeed is Client.RotateSeed with a random client seed if none is given.
func (p *Player) RotateSeed(ctx context.Context, body api.RotateRequest) (api.Rotated, error) {
	if body.ClientSeed == "" {
		body.ClientSeed = NewClientSeed()
	}
	p.setPair(nil)
	return p.Client.RotateSeed(ctx, body)
}

// NewClientSeed returns a client seed of 128 random bits in hexadecimal.
func NewClientSeed() string {
	var entropy [16]byte
	_, _ = rand.Read(entropy[:]) // it never fails
	return hex.EncodeToString(entropy[:])
}

func (p *Player) setPair(pair *expectedPair) {
	p.state.Lock()
	defer p.state.Unlock()
	p.pair = pair
}

// currentPair returns the expected pair of the next bet. It reads and rotates an unknown one.
func (p *Player) currentPair(ctx context.Context) (expectedPair, error) {
	p.state.Lock()
	known := p.pair
	p.state.Unlock()
	if known != nil {
		return *known, nil
	}
	seed, err := p.Seed(ctx)
	if err != nil {
		return expectedPair{}, err
	}
	if seed.ClientSeedSource != "player" {
		rotated, err := p.Client.RotateSeed(ctx, api.RotateRequest{
			ClientSeed: NewClientSeed(), ExpectedServerSeedHash: seed.ServerSeedHash, IdempotencyKey: rand.Text(),
		})
		switch {
		case err == nil:
			seed = rotated.Seed
		case refusedBy(err, "status") != "open": // open rounds use the pair
			return expectedPair{}, err
		}
	}
	pair := expectedPair{seed.ServerSeedHash, seed.Nonce}
	p.setPair(&pair)
	return pair, nil
}

// placeBet sends a bet with the expected pair.
func placeBet[T any](ctx context.Context, p *Player, bet api.PlayRequest, send func(context.Context, api.PlayRequest) (T, error), roundOf func(T) *api.Round) (T, error) {
	p.bets.Lock()
	defer p.bets.Unlock()
	for first := true; ; first = false {
		pair, err := p.currentPair(ctx)
		if err != nil {
			return *new(T), err
		}
		bet.ExpectedServerSeedHash, bet.ExpectedNonce = pair.hash, &pair.nonce
		answer, err := send(ctx, bet)
		if err == nil {
			p.followRound(pair, roundOf(answer))
			return answer, nil
		}
		if field := refusedBy(err, "field"); field != "expectedServerSeedHash" && field != "expectedNonce" {
			return answer, err
		}
		p.setPair(nil)
		if !first {
			return answer, err
		}
	}
}

// followRound updates the expected pair after a round. A repeated answer has an earlier nonce
// and changes nothing. A void round ends its pair.
func (p *Player) followRound(pair expectedPair, round *api.Round) {
	switch {
	case string(round.Outcome) == "null":
		p.setPair(nil)
	case round.ServerSeedHash != nil && *round.ServerSeedHash == pair.hash && round.Nonce != nil && *round.Nonce == pair.nonce:
		pair.nonce++
		p.setPair(&pair)
	}
}

// refusedBy returns a text among the details of an INVALID_STATE error, "" for other errors.
func refusedBy(err error, detail string) string {
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != "INVALID_STATE" {
		return ""
	}
	text, _ := failure.Details[detail].(string)
	return text
}
