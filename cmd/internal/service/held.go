package service

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"go.uber.org/fx"
)

// Held is what constructors opened. fx closes it when the service stops, but not
// when a later constructor failed and nothing was started: then Run does.
type Held struct {
	mu     sync.Mutex
	closes []func(context.Context) error
	// begin is called when a stop was asked for, rest before it begins.
	begin func()
	rest  time.Duration
}

// putOff puts a stop off that is asked for: begin is called at once, and everything else
// goes on for a time.
func (h *Held) putOff(rest time.Duration, begin func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rest, h.begin = rest, begin
}

// stopAsked begins a stop and returns how long to wait with the rest of it.
func (h *Held) stopAsked() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.begin != nil {
		h.begin()
	}
	return h.rest
}

// Hold closes something when the service stops, or when it never comes to start.
func (h *Held) Hold(life fx.Lifecycle, closes func(context.Context) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closes = append(h.closes, closes)
	life.Append(fx.StopHook(closes))
}

// releaseAll closes everything, what was opened last first.
func (h *Held) releaseAll(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []error
	for _, closes := range slices.Backward(h.closes) {
		all = append(all, closes(ctx))
	}
	return errors.Join(all...)
}

// withoutContext is a close without a context.
func withoutContext(closes func() error) func(context.Context) error {
	return func(context.Context) error { return closes() }
}
