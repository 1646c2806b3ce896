package httpapi

import (
	"encoding/json"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

func millis(t time.Time) int64 { return t.UnixMilli() }

// millisOrNull is nil for the zero time, which JSON shows as null.
func millisOrNull(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	at := millis(t)
	return &at
}

// orNull is nil for an empty text, which JSON shows as null.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func valueJSON(v game.Value) json.RawMessage { return wire.EncodeValue(v) }

func ratio(r money.Ratio) api.Number { return api.Number(wire.AppendRatio(nil, r)) }

// total is a sum as a JSON integer of any length.
func total(t money.Total) api.Number { return api.Number(t.String()) }

// each turns a list into its wire form; never nil, so that JSON shows [].
func each[From, To any](from []From, to func(From) To) []To {
	all := make([]To, len(from))
	for i, item := range from {
		all[i] = to(item)
	}
	return all
}
