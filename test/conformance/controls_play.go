package conformance

import (
	"sync"

	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

var controlsPlayCases = []story{
	{"a pause is of a game, or of an agent's players", Logic, func(b *bench) {
		// Pause one game, and one agent's players.
		b.signIn(alice, 1_000)
		pause := func(p control.PlayPause) {
			p.At = b.now()
			b.controls(func(now control.State) control.State {
				now.Pauses = []control.PlayPause{p}
				return now
			})
		}
		for _, row := range []struct {
			pause control.PlayPause
			taken bool
		}{
			{control.PlayPause{GameType: "dice"}, false},
			{control.PlayPause{GameType: "plinko"}, true},
			{control.PlayPause{AgentCode: "acme"}, true},
			{control.PlayPause{AgentCode: "house"}, false},
		} {
			pause(row.pause)
			if row.taken {
				b.commit(b.play(alice, 1))
				continue
			}
			b.same("reason", b.refuse(b.play(alice, 1), fault.Maintenance).Details["reason"], "paused")
		}
		b.sound()
	}},
	{"no bet is taken after the pause of all play returned", Races, func(b *bench) {
		// Pause all play while all players play: after the pause has returned, no further round
		// is committed, and every new bet is refused. Changes that finish rounds continue.
		people := []wallet.Address{alice, bob, carol, other}
		for _, w := range people {
			b.signIn(w, 1_000_000)
		}
		var playing sync.WaitGroup
		returned, stop := make(chan struct{}), make(chan struct{})
		begun := make(chan struct{}, 4*len(people))
		for _, w := range people {
			for range 4 {
				playing.Go(func() { b.plays(w, begun, returned, stop) })
			}
		}
		for range cap(begun) {
			b.await(begun)
		}
		at := b.now()
		b.controls(func(now control.State) control.State {
			now.Pauses = append(now.Pauses, control.PlayPause{By: admin, Reason: "because", At: at})
			return now
		})
		before := b.snapshot()
		close(returned)
		for range 50 { // while they keep trying
			b.state()
		}
		close(stop)
		playing.Wait()
		b.same("everything", b.snapshot(), before)
		b.commit(b.withdraw(alice, 10))
		b.controls(func(now control.State) control.State {
			now.Pauses = nil
			return now
		})
		b.commit(b.play(alice, 1))
		b.sound()
	}},
}

// plays bets until it is stopped, and signals its first accepted bet.
func (b *bench) plays(w wallet.Address, begun chan<- struct{}, returned, stop <-chan struct{}) {
	first := true
	for {
		paused := isClosed(returned)
		if isClosed(stop) {
			return
		}
		_, err := b.Commit(background, b.play(w, 1))
		switch {
		case err == nil && paused:
			b.Error("a bet that began after the pause was taken")
			return
		case err != nil && !fault.Is(err, fault.Maintenance):
			b.Error(err)
			return
		}
		if first {
			first = false
			begun <- struct{}{}
		}
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
