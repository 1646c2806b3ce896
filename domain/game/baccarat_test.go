package game_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

// thirdCards says when the banker draws, as in printed tables of the game: by the
// banker's hand 0 … 7 and the player's third card 0 … 9, D for draw and S for stand.
var thirdCards = [8]string{
	"DDDDDDDDDD",
	"DDDDDDDDDD",
	"DDDDDDDDDD",
	"DDDDDDDDSD",
	"SSDDDDDDSS",
	"SSSSDDDDSS",
	"SSSSSSDDSS",
	"SSSSSSSSSS",
}

// baccaratRound plays card values in sequence and returns the number of cards dealt, the
// banker's number of cards, and the winner.
func baccaratRound(values []int) (dealt, bankers int, winner string) {
	player, banker := (values[0]+values[1])%10, (values[2]+values[3])%10
	dealt, bankers = 4, 2
	if player < 8 && banker < 8 {
		bankerDraws := banker <= 5
		if player <= 5 {
			player = (player + values[4]) % 10
			bankerDraws = thirdCards[banker][values[4]] == 'D'
			dealt++
		}
		if bankerDraws {
			banker = (banker + values[dealt]) % 10
			dealt, bankers = dealt+1, bankers+1
		}
	}
	switch {
	case player > banker:
		return dealt, bankers, "player"
	case player < banker:
		return dealt, bankers, "banker"
	}
	return dealt, bankers, "tie"
}

// baccaratValueOf returns the value of a card of 0 … 51.
func baccaratValueOf(card int) int {
	return []int{2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1}[card/4]
}

// baccaratPaidTo returns the payout of bets of these amounts.
func baccaratPaidTo(player, banker, tie int64, winner string) *big.Rat {
	switch winner {
	case "player":
		return big.NewRat(2*player, 1)
	case "banker":
		return big.NewRat(39*banker, 20)
	}
	return big.NewRat(player+banker+9*tie, 1)
}

func baccaratBetsOf(player, banker, tie int64) game.Value {
	var bets []game.Value
	for on, amount := range map[string]int64{"player": player, "banker": banker, "tie": tie} {
		if amount > 0 {
			bets = append(bets, object("on", on, "amount", game.Int(amount)))
		}
	}
	return game.List(bets...)
}

func TestBaccaratAgainstATable(t *testing.T) {
	t.Parallel()
	amount := rapid.Int64Range(0, 1_000_000)
	rapid.Check(t, func(rt *rapid.T) {
		player, banker, tie := amount.Draw(rt, "player"), amount.Draw(rt, "banker"), amount.Draw(rt, "tie")
		if player+banker+tie == 0 {
			tie = 1
		}
		r := drawRound(rt, prepare(t, game.Baccarat(), "bets", baccaratBetsOf(player, banker, tie)))
		values, names := make([]int, 6), make([]string, 6)
		for i := range values {
			card := int(math.Floor(float(r.draws[i]) * 52))
			values[i] = baccaratValueOf(card)
			names[i] = strings.Fields("2 3 4 5 6 7 8 9 10 J Q K A")[card/4] + "dhsc"[card%4:card%4+1]
		}
		dealt, bankers, winner := baccaratRound(values)
		third := names[4:dealt]
		wantPlayer, wantBanker := append([]string{}, names[:2]...), append([]string{}, names[2:4]...)
		if dealt-bankers == 3 {
			wantPlayer, third = append(wantPlayer, third[0]), third[1:]
		}
		wantBanker = append(wantBanker, third...)
		same := func(s string) string { return s }
		got := r.result.Outcome
		if strings.Join(texts(got.Get("player"), same), " ") != strings.Join(wantPlayer, " ") ||
			strings.Join(texts(got.Get("banker"), same), " ") != strings.Join(wantBanker, " ") || got.Get("winner").Text() != winner {
			rt.Fatalf("%v, want %v against %v, %s", got, wantPlayer, wantBanker, winner)
		}
		want := baccaratPaidTo(player, banker, tie, winner)
		r.pays(rt, want.Quo(want, big.NewRat(player+banker+tie, 1)))
	})
}

// All values of six cards, each with its number of draws; unused cards count as well, so
// that all ways have as many draws.
func TestBaccaratReturnByEnumeration(t *testing.T) {
	t.Parallel()
	var weights [10]*big.Int
	for value := range weights {
		weights[value] = new(big.Int)
		for card := range 52 {
			if baccaratValueOf(card) == value {
				weights[value].Add(weights[value], ways(int64(card), 52))
			}
		}
	}
	won := map[string]*big.Int{"player": new(big.Int), "banker": new(big.Int), "tie": new(big.Int)}
	values := make([]int, 6)
	var deal func(at int, weight *big.Int)
	deal = func(at int, weight *big.Int) {
		for value := range weights {
			values[at] = value
			next := new(big.Int).Mul(weight, weights[value])
			if at < 3 {
				deal(at+1, next)
				continue
			}
			// Third cards are summed also for hands that don't need them.
			values[4], values[5] = 0, 0
			if dealt, _, winner := baccaratRound(values); dealt == 4 {
				won[winner].Add(won[winner], next.Lsh(next, 64))
				continue
			}
			for fifth := range weights {
				values[4] = fifth
				part := new(big.Int).Mul(next, weights[fifth])
				if dealt, _, winner := baccaratRound(values); dealt == 5 {
					won[winner].Add(won[winner], part.Lsh(part, 32))
					continue
				}
				for sixth := range weights {
					values[5] = sixth
					_, _, winner := baccaratRound(values)
					won[winner].Add(won[winner], new(big.Int).Mul(part, weights[sixth]))
				}
				values[5] = 0
			}
		}
	}
	deal(0, big.NewInt(1))
	least, greatest := big.NewRat(1, 1), new(big.Rat)
	for _, row := range [][3]int64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 1, 2}, {5, 5, 0}, {0, 9, 1}} {
		counted, total := spread{}, big.NewRat(row[0]+row[1]+row[2], 1)
		for winner, weight := range won {
			paid := baccaratPaidTo(row[0], row[1], row[2], winner)
			counted.add(paid.Quo(paid, total), share(weight, 6))
		}
		plan := prepare(t, game.Baccarat(), "bets", baccaratBetsOf(row[0], row[1], row[2]))
		counted.check(t, plan)
		least, greatest = ends(least, greatest, plan)
	}
	checkRange(t, game.Baccarat().RTP(), prepare(t, game.Baccarat()).Moments().Mean, least, greatest)
	rtp := game.Baccarat().RTP()
	if rtp.Default.FloatString(5) != "0.98772" || rtp.Min.FloatString(5) != "0.85883" || rtp.Max.FloatString(5) != "0.98936" {
		t.Errorf("return %s, %s, %s", percent(rtp.Default), percent(rtp.Min), percent(rtp.Max))
	}
}
