package httpapi

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

func millis(t time.Time) int64 { return t.UnixMilli() }

// orNull is nil for an empty text, which JSON shows as null.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func valueJSON(v game.Value) jsontext.Value { return wire.EncodeValue(v) }

func ratioJSON(r money.Ratio) jsontext.Value { return wire.AppendRatio(nil, r) }

// listInfo stands beside the items of every list.
type listInfo struct {
	Page        *int64  `json:"page"`
	Limit       int     `json:"limit"`
	Total       int     `json:"total"`
	TotalCapped bool    `json:"totalCapped,omitzero"`
	NextCursor  *string `json:"nextCursor"`
}

func listOf(wanted pageWanted, info ports.PageInfo) listInfo {
	list := listInfo{Limit: wanted.Limit, Total: info.Total, TotalCapped: info.Capped, NextCursor: orNull(info.Next)}
	if wanted.number > 0 {
		list.Page = &wanted.number
	}
	return list
}

// each turns a list into its wire form; never nil, so that JSON shows [].
func each[From, To any](from []From, to func(From) To) []To {
	all := make([]To, len(from))
	for i, item := range from {
		all[i] = to(item)
	}
	return all
}
