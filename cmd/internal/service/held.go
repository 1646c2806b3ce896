package service

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"go.uber.org/fx"
)

// Held holds what constructors opened. fx closes it when the service stops, but not if a
// later constructor failed and nothing was started; then Run closes it.
type Held struct {
	mu     sync.Mutex
	closes []func(context.Context) error
	// begin is called when a stop is requested; the stop begins after rest.
	begin func()
	rest  time.Duration
}

// putOff delays a requested stop: begin is called at once, and everything else continues
// for the time rest.
func (h *Held) putOff(rest time.Duration, begin func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rest, h.begin = rest, begin
}

// stopAsked begins a stop and returns how long to wait before the rest of it.
func (h *Held) stopAsked() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.begin != nil {
		h.begin()
	}
	return h.rest
}

// Hold closes something when the service stops, or when it never starts.
func (h *Held) Hold(life fx.Lifecycle, closes func(context.Context) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closes = append(h.closes, closes)
	life.Append(fx.StopHook(closes))
}

// releaseAll closes everything in reverse order.
func (h *Held) releaseAll(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []error
	for _, closes := range slices.Backward(h.closes) {
		all = append(all, closes(ctx))
	}
	return errors.Join(all...)
}

// withoutContext adapts a close function without a context.
func withoutContext(closes func() error) func(context.Context) error {
	return func(context.Context) error { return closes() }
}
