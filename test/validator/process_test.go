package validator

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"
)

// silentAfter returns a process that answers a number of commands and then none, and a channel
// that is closed when it ends.
func silentAfter(t *testing.T, name string, commands int, patient time.Duration) (p *process, ended chan struct{}) {
	t.Helper()
	ours, its := net.Pipe()
	ended = make(chan struct{})
	t.Cleanup(func() { _, _ = ours.Close(), its.Close() })
	go func() {
		for in := bufio.NewReader(its); ; commands-- {
			if _, err := in.ReadBytes('\n'); err != nil {
				return
			}
			if commands > 0 {
				_ = json.NewEncoder(its).Encode(network{ID: fmt.Sprint(name, " ", commands), URL: name})
			}
		}
	}()
	return &process{
		in: ours, out: ours, answer: bufio.NewReader(ours), patient: patient,
		end: func() error { close(ended); return nil },
	}, ended
}

func TestAChainOfAProcessThatIsStuckIsStartedOnAnother(t *testing.T) {
	t.Parallel()
	first, firstEnded := silentAfter(t, "first", 1, time.Minute)
	second, secondEnded := silentAfter(t, "second", 10, time.Minute)
	launched := []*process{first, second}
	h := &host{launch: func() (p *process, err error) {
		p, launched = launched[0], launched[1:]
		return p, nil
	}}
	chain := func(want *process) network {
		t.Helper()
		p, started, err := h.start()
		if err != nil || p != want {
			t.Fatalf("started %v on %p, %v", started, p, err)
		}
		return started
	}
	one := chain(first)
	first.patient = time.Millisecond
	two, three := chain(second), chain(second)
	if len(launched) != 0 {
		t.Fatalf("%d processes were not needed", len(launched))
	}
	select {
	case <-firstEnded:
		t.Fatal("a process ended that runs a chain")
	default:
	}
	if err := first.stop(one.ID); err != nil {
		t.Fatal(err)
	}
	select {
	case <-firstEnded:
	default:
		t.Error("a process that is stuck is left with its last chain")
	}
	for _, of := range []network{two, three} {
		if err := second.stop(of.ID); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-secondEnded:
		t.Error("a process that answers ended with a chain")
	default:
	}
}

func TestProcessesThatAreAllStuckAreAnError(t *testing.T) {
	t.Parallel()
	var all []chan struct{}
	h := &host{launch: func() (*process, error) {
		p, ended := silentAfter(t, "silent", 0, time.Millisecond)
		all = append(all, ended)
		return p, nil
	}}
	if _, _, err := h.start(); err == nil || len(all) != attempts {
		t.Fatalf("after %d processes: %v", len(all), err)
	}
	for _, ended := range all {
		select {
		case <-ended:
		default:
			t.Error("a process is left that runs nothing")
		}
	}
}

func TestALaunchThatFailedIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	times, broken := 0, errors.New("no npm")
	h := &host{launch: func() (*process, error) { // as if a process was made and can't be started
		times++
		return &process{}, broken
	}}
	for range 2 {
		if _, _, err := h.start(); !errors.Is(err, broken) {
			t.Errorf("started: %v", err)
		}
	}
	if times != 1 {
		t.Errorf("tried %d times", times)
	}
}
