package goldapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/internal/gametexts"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

type launchRequest struct {
	head         `json:",inline"`
	UserCode     string `json:"user_code"`
	ProviderCode string `json:"provider_code,omitzero"`
	GameCode     string `json:"game_code,omitzero"`
	Language     string `json:"lang,omitzero"`
}

// launchWait is how long a launch waits for a place beside the others, so that enough of the
// request's time is left to call the provider.
const launchWait = 2 * time.Second

// Launch serves ports.GameProvider: user_create, which may be repeated because a user
// who exists counts as created, and game_launch, which is called once.
func (c *Client) Launch(ctx context.Context, o ports.LaunchRequest) (string, error) {
	waiting, cancel := context.WithTimeout(ctx, launchWait)
	defer cancel()
	select {
	case c.launches <- struct{}{}:
		defer func() { <-c.launches }()
	case <-waiting.Done():
		return "", fault.New(fault.Unavailable, "too many launches are under way at the provider")
	}
	var made struct{}
	err := c.callMethod(ctx, userCreate, launchRequest{head: c.requestHead(userCreate), UserCode: string(o.Wallet)}, &made, true)
	if err != nil && !isDuplicate(err) {
		return "", err
	}
	var launched struct {
		URL string `json:"launch_url"`
	}
	err = c.callMethod(ctx, "game_launch", launchRequest{
		head: c.requestHead("game_launch"), UserCode: string(o.Wallet), ProviderCode: o.Provider, GameCode: o.Game, Language: o.Language,
	}, &launched, false)
	if err != nil {
		return "", err
	}
	if err := c.config.hosts().Allow(launched.URL); err != nil {
		return "", err
	}
	return launched.URL, nil
}

// Games serves ports.GameProvider: it calls provider_list, then game_list for each maker. A
// maker with an unreadable list is reported as one entry. Games returns an error only if no
// game could be read.
func (c *Client) Games(ctx context.Context) ([]seamless.Game, []seamless.UnreadEntry, error) {
	var makers struct {
		Providers []jsontext.Value `json:"providers"`
	}
	if err := c.callMethod(ctx, "provider_list", c.requestHead("provider_list"), &makers, true); err != nil {
		return nil, nil, err
	}
	var unread []seamless.UnreadEntry
	var failed error
	found := map[[2]string]seamless.Game{}
	for i, raw := range makers.Providers {
		maker, err := readMaker(raw)
		if err != nil {
			unread = append(unread, seamless.UnreadEntry{Reason: fmt.Sprintf("maker %d: %v", i+1, err)})
			continue
		}
		var list struct {
			Games []jsontext.Value `json:"games"`
		}
		request := launchRequest{head: c.requestHead("game_list"), ProviderCode: maker.Provider}
		if err := c.callMethod(ctx, "game_list", request, &list, true); ctx.Err() != nil {
			return nil, nil, ctx.Err()
		} else if err != nil {
			failed = cmp.Or(failed, err)
			unread = append(unread, seamless.UnreadEntry{Provider: maker.Provider, Reason: fmt.Sprintf("%s, all games: %v", maker.Provider, err)})
		}
		for i, raw := range list.Games {
			game, err := readGame(raw, maker)
			if err != nil {
				unread = append(unread, seamless.UnreadEntry{Provider: maker.Provider, Reason: fmt.Sprintf("%s game %d: %v", maker.Provider, i+1, err)})
				continue
			}
			found[[2]string{game.Provider, game.Code}] = game
		}
	}
	if len(found) == 0 && failed != nil {
		return nil, nil, failed
	}
	games := slices.SortedFunc(maps.Values(found), func(a, b seamless.Game) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Code, b.Code))
	})
	return games, unread, nil
}

var errNoObject = errors.New("not an object")

// readMaker returns a game with the fields that all games of a maker share. Its errors
// repeat nothing that the provider sent.
func readMaker(raw jsontext.Value) (seamless.Game, error) {
	var entry struct {
		Code   jsontext.Value `json:"code"`
		Type   jsontext.Value `json:"type"`
		Status jsontext.Value `json:"status"`
	}
	if json.Unmarshal(raw, &entry) != nil {
		return seamless.Game{}, errNoObject
	}
	code, open, err := readState("code", entry.Code, entry.Status)
	game := seamless.Game{Provider: code, Type: scalarText(entry.Type), Open: open}
	if !seamless.ValidCode(game.Type) {
		game.Type = "slot"
	}
	return game, err
}

// readGame adds an entry's own fields to those that all games of its maker share.
func readGame(raw jsontext.Value, game seamless.Game) (seamless.Game, error) {
	var entry struct {
		Code   jsontext.Value `json:"game_code"`
		Name   jsontext.Value `json:"game_name"`
		Banner jsontext.Value `json:"banner"`
		Status jsontext.Value `json:"status"`
	}
	if json.Unmarshal(raw, &entry) != nil {
		return seamless.Game{}, errNoObject
	}
	code, open, err := readState("game_code", entry.Code, entry.Status)
	if err == nil && entry.Name.Kind() != '"' && entry.Name.Kind() != '0' {
		err = errors.New("invalid game_name")
	}
	game.Code, game.Name, game.Banner, game.Open = code, gametexts.PrintableName(scalarText(entry.Name), code), gametexts.PictureURL(scalarText(entry.Banner)), game.Open && open
	return game, err
}

// readState reads an entry's code, and its status, which some providers send as text or as
// a boolean.
func readState(field string, code, status jsontext.Value) (text string, open bool, err error) {
	if text = scalarText(code); !seamless.ValidCode(text) {
		return "", false, fmt.Errorf("invalid %s", field)
	}
	if !isOn(status) && !slices.Contains([]string{`0`, `"0"`, `false`}, string(status)) {
		return "", false, errors.New("invalid status")
	}
	return text, isOn(status), nil
}

// scalarText returns a JSON text, or a whole number as text; "" for anything else.
func scalarText(value jsontext.Value) (text string) {
	if strings.Trim(string(value), "0123456789") == "" {
		return string(value)
	}
	_ = json.Unmarshal(value, &text) // a value that is not text stays empty
	return text
}

// Funds serves ports.GameProvider: money_info.
func (c *Client) Funds(ctx context.Context) (seamless.Decimal, error) {
	var info struct {
		Agent struct {
			Balance jsontext.Value `json:"balance"`
		} `json:"agent"`
	}
	if err := c.callMethod(ctx, "money_info", c.requestHead("money_info"), &info, true); err != nil {
		return "", err
	}
	return parseDecimal("balance", info.Agent.Balance)
}

// parseDecimal reads a provider's number, which some send as text.
func parseDecimal(field string, value jsontext.Value) (seamless.Decimal, error) {
	text := strings.TrimSuffix(strings.TrimPrefix(string(value), `"`), `"`)
	read, err := seamless.ParseDecimal(field, text)
	if err != nil {
		return "", fault.New(fault.External, "the game provider's %s is not an amount", field)
	}
	return read, nil
}

type logRequest struct {
	head     `json:",inline"`
	UserCode string `json:"user_code"`
	GameType string `json:"game_type"`
	Start    string `json:"start"`
	End      string `json:"end"`
	Page     int    `json:"page"`
	PerPage  int    `json:"perPage"`
}

type logLine struct {
	TxnID        txnID          `json:"txn_id"`
	TxnType      string         `json:"txn_type"`
	ProviderCode string         `json:"provider_code"`
	GameCode     string         `json:"game_code"`
	Bet          jsontext.Value `json:"bet_money"`
	Win          jsontext.Value `json:"win_money"`
	CreatedAt    string         `json:"created_at"`
}

// The number of lines in a page of the log, and the maximum number of pages.
const (
	logLines    = 1000
	logPagesMax = 1000
)

// Log serves ports.GameProvider: it calls get_game_log page by page. The protocol's end is
// inclusive, and its times are UTC in whole seconds.
func (c *Client) Log(ctx context.Context, w wallet.Address, from, to time.Time) ([]seamless.Record, error) {
	var records []seamless.Record
	for page := range logPagesMax {
		var answer struct {
			Total int       `json:"total_count"`
			Slot  []logLine `json:"slot"`
		}
		err := c.callMethod(ctx, "get_game_log", logRequest{
			head: c.requestHead("get_game_log"), UserCode: string(w), GameType: "slot", Page: page, PerPage: logLines,
			Start: from.UTC().Format(time.DateTime), End: to.UTC().Add(-time.Second).Format(time.DateTime),
		}, &answer, true)
		if err != nil {
			return nil, err
		}
		for _, line := range answer.Slot {
			record, err := line.toRecord()
			if err != nil {
				return nil, err
			}
			records = append(records, record)
		}
		if len(answer.Slot) == 0 || len(records) >= answer.Total {
			slices.SortStableFunc(records, func(a, b seamless.Record) int { return a.At.Compare(b.At) })
			return records, nil
		}
	}
	return nil, fault.New(fault.External, "the game provider's log has too many pages")
}

func (l logLine) toRecord() (seamless.Record, error) {
	record := seamless.Record{TxnID: string(l.TxnID), Provider: l.ProviderCode, Game: l.GameCode}
	var known bool
	if record.Kind, known = seamless.ParseKind(l.TxnType); !known || !seamless.ValidTxnID(string(l.TxnID)) {
		return record, fault.New(fault.External, "the game provider's log has a line that is not a transaction")
	}
	for _, part := range []struct {
		wanted bool
		field  string
		value  jsontext.Value
		to     *seamless.Decimal
	}{{record.Kind.Bets(), "bet_money", l.Bet, &record.Requested.Bet}, {record.Kind.Wins(), "win_money", l.Win, &record.Requested.Win}} {
		if !part.wanted {
			continue
		}
		read, err := parseDecimal(part.field, part.value)
		if err != nil {
			return record, err
		}
		*part.to = read
	}
	at, err := time.Parse(time.DateTime, l.CreatedAt)
	if err != nil {
		return record, fault.New(fault.External, "the game provider's log has a line without a time")
	}
	record.At = at.UTC()
	return record, nil
}
