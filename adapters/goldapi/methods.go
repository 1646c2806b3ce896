package goldapi

import (
	"context"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

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

// Launch serves ports.GameProvider: user_create, which may be repeated because a user
// who exists counts as created, and game_launch, which is called once.
func (c *Client) Launch(ctx context.Context, o ports.LaunchRequest) (string, error) {
	select {
	case c.launches <- struct{}{}:
		defer func() { <-c.launches }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	var made struct{}
	err := c.ask(ctx, userCreate, launchRequest{head: c.head(userCreate), UserCode: string(o.Wallet)}, &made, true)
	if err != nil && !duplicate(err) {
		return "", err
	}
	var launched struct {
		URL string `json:"launch_url"`
	}
	err = c.ask(ctx, "game_launch", launchRequest{
		head: c.head("game_launch"), UserCode: string(o.Wallet), ProviderCode: o.Provider, GameCode: o.Game, Language: o.Language,
	}, &launched, false)
	if err != nil {
		return "", err
	}
	return c.launchURL(launched.URL)
}

// launchURLMax is the longest launch address that is passed on, in bytes.
const launchURLMax = 4096

// launchURL checks an address that a player is sent to.
func (c *Client) launchURL(text string) (string, error) {
	refuse := fault.New(fault.External, "the game provider's launch address is not one of its own")
	address, err := url.Parse(text)
	if err != nil || len(text) > launchURLMax || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", refuse
	}
	host := strings.ToLower(address.Hostname())
	if !c.config.reachable(address) || !slices.ContainsFunc(c.config.LaunchHosts, func(own string) bool { return strings.EqualFold(own, host) }) {
		return "", refuse
	}
	return text, nil
}

func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// Games serves ports.GameProvider: provider_list, then game_list of each provider
// listed. Codes that can't be stored are left out.
func (c *Client) Games(ctx context.Context) ([]seamless.Game, error) {
	var makers struct {
		Providers []struct {
			Code   string `json:"code"`
			Type   string `json:"type"`
			Status int    `json:"status"`
		} `json:"providers"`
	}
	if err := c.ask(ctx, "provider_list", c.head("provider_list"), &makers, true); err != nil {
		return nil, err
	}
	found := map[[2]string]seamless.Game{}
	for _, maker := range makers.Providers {
		if !seamless.ValidCode(maker.Code) {
			continue
		}
		var list struct {
			Games []struct {
				Code   string `json:"game_code"`
				Name   string `json:"game_name"`
				Banner string `json:"banner"`
				Status int    `json:"status"`
			} `json:"games"`
		}
		request := launchRequest{head: c.head("game_list"), ProviderCode: maker.Code}
		if err := c.ask(ctx, "game_list", request, &list, true); err != nil {
			return nil, err
		}
		for _, g := range list.Games {
			if !seamless.ValidCode(g.Code) {
				continue
			}
			game := seamless.Game{
				Provider: maker.Code, Code: g.Code, Name: plain(g.Name, g.Code), Type: "slot", Banner: picture(g.Banner),
				Open: maker.Status == 1 && g.Status == 1,
			}
			if seamless.ValidCode(maker.Type) {
				game.Type = maker.Type
			}
			found[[2]string{game.Provider, game.Code}] = game
		}
	}
	games := make([]seamless.Game, 0, len(found))
	for _, game := range found {
		games = append(games, game)
	}
	slices.SortFunc(games, func(a, b seamless.Game) int {
		return slices.Compare([]string{a.Provider, a.Code}, []string{b.Provider, b.Code})
	})
	return games, nil
}

// nameMax is the longest game name that is accepted, in characters.
const nameMax = 100

// plain returns a name made of printable characters only, or else the code.
func plain(name, code string) string {
	kept := []rune(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e ||
			r >= 0x2060 && r <= 0x206f || r == 0xfeff || r == '\uFFFD' {
			return -1
		}
		return r
	}, name))
	if text := strings.TrimSpace(string(kept[:min(len(kept), nameMax)])); text != "" {
		return text
	}
	return code
}

// picture returns a picture's address when it is https, else none.
func picture(text string) string {
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "https" || address.Hostname() == "" || address.User != nil || len(text) > launchURLMax {
		return ""
	}
	return text
}

// Funds serves ports.GameProvider: money_info.
func (c *Client) Funds(ctx context.Context) (seamless.Decimal, error) {
	var info struct {
		Agent struct {
			Balance jsontext.Value `json:"balance"`
		} `json:"agent"`
	}
	if err := c.ask(ctx, "money_info", c.head("money_info"), &info, true); err != nil {
		return "", err
	}
	return decimal("balance", info.Agent.Balance)
}

// decimal reads a provider's number, which some send as text.
func decimal(field string, value jsontext.Value) (seamless.Decimal, error) {
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

// The pages of a log: so many lines each, so many pages at most.
const (
	logLines    = 1000
	logPagesMax = 1000
)

// Log serves ports.GameProvider: get_game_log, page by page. The protocol's end is
// inclusive, and its times are UTC in whole seconds.
func (c *Client) Log(ctx context.Context, w wallet.Address, from, to time.Time) ([]seamless.Record, error) {
	var records []seamless.Record
	for page := range logPagesMax {
		var answer struct {
			Total int       `json:"total_count"`
			Slot  []logLine `json:"slot"`
		}
		err := c.ask(ctx, "get_game_log", logRequest{
			head: c.head("get_game_log"), UserCode: string(w), GameType: "slot", Page: page, PerPage: logLines,
			Start: from.UTC().Format(time.DateTime), End: to.UTC().Add(-time.Second).Format(time.DateTime),
		}, &answer, true)
		if err != nil {
			return nil, err
		}
		for _, line := range answer.Slot {
			record, err := line.record()
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
	return nil, fault.New(fault.External, "the game provider's log doesn't end")
}

func (l logLine) record() (seamless.Record, error) {
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
		read, err := decimal(part.field, part.value)
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
