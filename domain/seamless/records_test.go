package seamless_test

import (
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// callback is a debit with a win, with different values in all fields.
func callback(kind seamless.Kind, status seamless.Status) seamless.Transaction {
	return seamless.Transaction{
		ID: "t1", Ref: seamless.Ref{Connection: "goldapi", TxnID: "x9", Provider: "PRAGMATIC", Game: "vs20"}, Kind: kind,
		GameType: "slot", Wallet: "alice", Agent: "north", Token: money.SOL, Scale: 6, Requested: seamless.Requested{Bet: "5", Win: "7"},
		Bet: 500, Win: 700, Residue: "0.5", Status: status, Reason: seamless.OverNetCap, RoundID: "r1", Balance: 12_345,
		At: time.Unix(100, 0),
	}
}

func TestARoundBeginsWithAllOfItsTransaction(t *testing.T) {
	t.Parallel()
	want := seamless.Round{
		ID: "t1", Ref: seamless.Ref{Connection: "goldapi", TxnID: "x9", Provider: "PRAGMATIC", Game: "vs20"}, GameType: "slot",
		Wallet: "alice", Agent: "north", Token: money.SOL, Scale: 6, Site: "https://north.example/", Wager: 500, Payout: 700,
		Balance: 12_345, At: time.Unix(100, 0),
	}
	for kind, withoutDebit := range map[seamless.Kind]bool{seamless.Debit: false, seamless.DebitCredit: false, seamless.Credit: true} {
		begun := callback(kind, seamless.Taken)
		begun.Site = want.Site
		want.WithoutDebit = withoutDebit
		if got := seamless.Begin(begun); got != want {
			t.Errorf("a %s begins\n %+v, want\n %+v", kind, got, want)
		}
	}
	if got := seamless.Begin(callback(seamless.DebitCredit, seamless.Review)); got.Payout != 0 || got.Wager != 500 {
		t.Errorf("a win in review is paid in %+v", got)
	}
}

func TestACreditContinuesItsRound(t *testing.T) {
	t.Parallel()
	credit := callback(seamless.Credit, seamless.Taken)
	round := seamless.Round{ID: "r1", Wager: 10, Payout: 50, Credits: 3, Balance: 1}
	want := round
	want.Payout, want.Credits, want.Balance = 750, 4, 12_345
	if got, ok := round.With(credit); got != want || !ok {
		t.Errorf("%+v, %v, want %+v", got, ok, want)
	}
	forwarded := credit
	forwarded.Site, want.Balance = "https://north.example/", 1 // the delivery stores the response to a win
	if got, ok := round.With(forwarded); got != want || !ok {
		t.Errorf("forwarded: %+v, %v, want %+v", got, ok, want)
	}
	waits := callback(seamless.Credit, seamless.Review)
	want.Payout, want.Balance = 50, 12_345
	if got, ok := round.With(waits); got != want || !ok {
		t.Errorf("in review: %+v, %v, want %+v", got, ok, want)
	}
	round.Payout = money.Max - 699
	if got, ok := round.With(credit); got != round || ok {
		t.Errorf("one unit too much: %+v, %v", got, ok)
	}
	round.Payout--
	if got, ok := round.With(credit); got.Payout != money.Max || !ok {
		t.Errorf("up to the largest amount: %+v, %v", got, ok)
	}
}

func TestARoundIsShownBesideTheHousesOwn(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		wager, payout money.Amount
		want          money.Ratio
	}{
		"a win":                     {500, 700, money.Ratio{Num: 7, Den: 5}},
		"cut to four decimals":      {30_000, 10_000, money.Ratio{Num: 3333, Den: 10_000}},
		"a wager of one base unit":  {1, 2, money.Ratio{Num: 2, Den: 1}},
		"a loss":                    {500, 0, money.Ratio{Num: 0, Den: 1}},
		"a credit without a debit":  {0, 700, money.Ratio{Num: 0, Den: 1}},
		"more than can be computed": {1, money.Max, money.Ratio{Num: 0, Den: 1}},
	} {
		round := seamless.Begin(callback(seamless.DebitCredit, seamless.Taken))
		round.Wager, round.Payout = row.wager, row.payout
		got := round.Bet()
		want := bet.Round{
			ID: "t1", Wallet: "alice", Agent: "north", Source: "PRAGMATIC", GameType: "vs20", Token: money.SOL,
			Wager: row.wager, Payout: row.payout, Multiplier: row.want, Balance: 12_345, At: time.Unix(100, 0),
		}
		if got.ID != want.ID || got.Wallet != want.Wallet || got.Agent != want.Agent || got.Source != want.Source ||
			got.GameType != want.GameType || got.Token != want.Token || got.Wager != want.Wager || got.Payout != want.Payout ||
			got.Multiplier != want.Multiplier || got.Balance != want.Balance || !got.At.Equal(want.At) || got.Void || got.PairID != "" {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
	}
}

func TestMovementsAreBookedUnderTheCallbacksKey(t *testing.T) {
	t.Parallel()
	player, provider := ledger.PlayerOf("alice"), ledger.ProviderOf("goldapi")
	posting := func(kind ledger.KeyKind, from, to ledger.Account, amount money.Amount) ledger.Posting {
		return ledger.Posting{
			Key:       ledger.Key{Kind: kind, Scope: "goldapi", ID: "x9"},
			Transfers: []ledger.Transfer{{Debit: from, Credit: to, Token: money.SOL, Amount: amount}},
		}
	}
	bets := posting(ledger.ProviderDebit, player, provider, 500)
	change := func(kind seamless.Kind, status seamless.Status, bet, win money.Amount) seamless.Transaction {
		made := callback(kind, status)
		made.Bet, made.Win = bet, win
		return made
	}
	undoing := func(made seamless.Transaction) seamless.Transaction {
		made.Reference = "b1"
		return made
	}
	undone := func(from, to ledger.Account, amount money.Amount) ledger.Posting {
		made := posting(ledger.ProviderRollback, from, to, amount)
		made.Key.ID = "b1"
		return made
	}
	for name, row := range map[string]struct {
		made seamless.Transaction
		want []ledger.Posting
	}{
		"a whole round":    {change(seamless.DebitCredit, seamless.Taken, 500, 700), []ledger.Posting{bets, posting(ledger.ProviderCredit, provider, player, 700)}},
		"a win of one":     {change(seamless.Credit, seamless.Taken, 0, 1), []ledger.Posting{posting(ledger.ProviderCredit, provider, player, 1)}},
		"a loss":           {change(seamless.Debit, seamless.Taken, 500, 0), []ledger.Posting{bets}},
		"a win in review":  {change(seamless.DebitCredit, seamless.Review, 500, 700), []ledger.Posting{bets}},
		"one let through":  {change(seamless.Settlement, seamless.Taken, 0, 700), []ledger.Posting{posting(ledger.ProviderReview, provider, player, 700)}},
		"what was refused": {change(seamless.DebitCredit, seamless.Refused, 500, 700), nil},
		"a bet returned":   {undoing(change(seamless.Rollback, seamless.Taken, 0, 500)), []ledger.Posting{undone(provider, player, 500)}},
		"a win taken back": {undoing(change(seamless.Rollback, seamless.Taken, 700, 0)), []ledger.Posting{undone(player, provider, 700)}},
		"nothing undone":   {undoing(change(seamless.Rollback, seamless.Taken, 0, 0)), nil},
	} {
		got := row.made.Postings()
		if len(got) != len(row.want) {
			t.Errorf("%s: booked as %+v", name, got)
			continue
		}
		for i, want := range row.want {
			if got[i].Key != want.Key || len(got[i].Transfers) != 1 || got[i].Transfers[0] != want.Transfers[0] {
				t.Errorf("%s: %+v, want %+v", name, got[i], want)
			}
		}
	}
	for status, want := range map[seamless.Status]money.Amount{seamless.Taken: 700, seamless.Review: 0, seamless.Refused: 0, seamless.Undecided: 0} {
		if got := callback(seamless.Credit, status).Paid(); got != want {
			t.Errorf("%s paid %d", status, got)
		}
	}
}

func TestARepeatAsksForTheSame(t *testing.T) {
	t.Parallel()
	made := callback(seamless.Debit, seamless.Taken)
	other := made.Ref
	other.Game = "vs21"
	for name, row := range map[string]struct{ same, want bool }{
		"the same":       {made.Same("alice", made.Ref, seamless.Debit, made.Requested, ""), true},
		"another player": {made.Same("bob", made.Ref, seamless.Debit, made.Requested, ""), false},
		"another bet":    {made.Same("alice", made.Ref, seamless.Debit, made.Requested, "b1"), false},
		"another game":   {made.Same("alice", other, seamless.Debit, made.Requested, ""), false},
		"another kind":   {made.Same("alice", made.Ref, seamless.Credit, made.Requested, ""), false},
		"another amount": {made.Same("alice", made.Ref, seamless.Debit, seamless.Requested{Bet: "5"}, ""), false},
	} {
		if row.same != row.want {
			t.Errorf("%s: %v", name, row.same)
		}
	}
}

func TestWhichRoundACreditSettles(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	exact, latest := seamless.Round{ID: "e", At: now.Add(-100 * time.Hour)}, seamless.Round{ID: "l", At: now.Add(-24 * time.Hour)}
	late := latest
	late.At = late.At.Add(-time.Nanosecond)
	for name, row := range map[string]struct {
		standing seamless.RoundMatch
		want     string
		ok       bool
	}{
		"its own, however old":   {seamless.RoundMatch{Exact: exact, Latest: latest}, "e", true},
		"the newest of a day":    {seamless.RoundMatch{Latest: latest}, "l", true},
		"the newest is too old":  {seamless.RoundMatch{Latest: late}, "l", false},
		"no round of that game":  {seamless.RoundMatch{}, "", false},
		"no round though recent": {seamless.RoundMatch{Latest: seamless.Round{At: now}}, "", false},
	} {
		if got, ok := row.standing.DebitOf(now); ok != row.ok || ok && got.ID != row.want {
			t.Errorf("%s: %q, %v", name, got.ID, ok)
		}
	}
}

func TestMatchAfterARound(t *testing.T) {
	t.Parallel()
	ref := seamless.Ref{Connection: "goldapi", TxnID: "x9", Provider: "PRAGMATIC", Game: "vs20"}
	before := seamless.RoundMatch{Exact: seamless.Round{ID: "e"}, Latest: seamless.Round{ID: "m"}}
	for name, row := range map[string]struct {
		change        func(*seamless.Round)
		exact, latest bool
	}{
		"the same transaction and game": {func(*seamless.Round) {}, true, true},
		"the round itself again":        {func(r *seamless.Round) { r.ID = "m" }, true, true},
		"another transaction":           {func(r *seamless.Round) { r.TxnID = "x8" }, false, true},
		"another game":                  {func(r *seamless.Round) { r.Game = "vs21" }, true, false},
		"another maker":                 {func(r *seamless.Round) { r.Provider = "EVO" }, true, false},
		"an older round":                {func(r *seamless.Round) { r.ID = "a" }, true, false},
		"another connection":            {func(r *seamless.Round) { r.Connection = "silver" }, false, false},
		"without a debit":               {func(r *seamless.Round) { r.WithoutDebit = true }, false, false},
		"neither":                       {func(r *seamless.Round) { r.TxnID, r.Game = "x8", "vs21" }, false, false},
	} {
		round := seamless.Round{ID: "n", Ref: ref}
		row.change(&round)
		want := before
		if row.exact {
			want.Exact = round
		}
		if row.latest {
			want.Latest = round
		}
		if got := before.After(ref, round); got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestKindsOfCallbacks(t *testing.T) {
	t.Parallel()
	for kind, want := range map[seamless.Kind]struct{ parsed, bets, wins bool }{
		seamless.Debit: {true, true, false}, seamless.Credit: {true, false, true}, seamless.DebitCredit: {true, true, true},
		seamless.Settlement: {false, false, true}, seamless.Rollback: {}, "": {},
	} {
		parsed, ok := seamless.ParseKind(string(kind))
		if ok != want.parsed || ok && parsed != kind || kind.Bets() != want.bets || kind.Wins() != want.wins {
			t.Errorf("%q: %v, bets %v, wins %v", kind, ok, kind.Bets(), kind.Wins())
		}
	}
	if (seamless.Launch{}).Known() || !(seamless.Launch{FirstAt: time.Unix(1, 0)}).Known() {
		t.Error("a launch is known once there was one")
	}
}

func TestADeliveryHasItsTransaction(t *testing.T) {
	t.Parallel()
	made := callback(seamless.DebitCredit, seamless.Undecided)
	made.Site = "https://north.example/"
	want := seamless.Delivery{
		ID: "o1", TransactionID: "t1", Leg: seamless.Debit, Ref: made.Ref, Kind: seamless.DebitCredit, GameType: "slot",
		Wallet: "alice", Agent: "north", Token: money.SOL, Scale: 6, Requested: seamless.Requested{Bet: "5", Win: "7"},
		Site: "https://north.example/", SiteTxnID: "x9", Amount: 500, Status: seamless.Asking,
		At: time.Unix(100, 0), UpdatedAt: time.Unix(100, 0),
	}
	if got := seamless.NewDelivery(made, "o1", seamless.Debit, 500); got != want {
		t.Errorf("the debit is\n %+v, want\n %+v", got, want)
	}
	credit := want
	credit.ID, credit.Leg, credit.Amount, credit.Status = "o2", seamless.Credit, 700, seamless.Delivering
	if got := seamless.NewDelivery(made, "o2", seamless.Credit, 700); got != credit {
		t.Errorf("the credit is\n %+v, want\n %+v", got, credit)
	}
	settled := callback(seamless.Settlement, seamless.Taken)
	if got := seamless.NewDelivery(settled, "o3", seamless.Credit, 700); got.SiteTxnID != "settlement-t1" || got.Status != seamless.Delivering {
		t.Errorf("a win that was paid after a review is %+v", got)
	}
	undoing := callback(seamless.Rollback, seamless.Taken)
	if got := seamless.NewDelivery(undoing, "o4", seamless.Credit, 500); got.SiteTxnID != "reversal-t1" || got.Status != seamless.Delivering {
		t.Errorf("a bet that a rollback returns is %+v", got)
	}
	draft := made
	draft.Bet, draft.Win, draft.Residue, draft.Reason, draft.RoundID, draft.Balance = 0, 0, "", "", "", 0
	if got := want.Draft(); got != draft {
		t.Errorf("the draft is\n %+v, want\n %+v", got, draft)
	}
	for status, message := range map[seamless.DeliveryStatus]string{
		seamless.Asking: "x9 debit", seamless.Unknown: "x9 debit", seamless.Reversing: "reversal-o1 credit", seamless.Delivering: "x9 debit",
	} {
		delivery := want
		delivery.Status = status
		if id, leg := delivery.Message(); id+" "+string(leg) != message {
			t.Errorf("%s sends %s %s", status, id, leg)
		}
	}
	moved := want
	moved.Status, moved.Balance, moved.UpdatedAt, moved.Site = seamless.Paid, 5, time.Unix(200, 0), "https://other.example/"
	amount := want
	amount.Amount = 501
	if !want.Same(moved) || want.Same(amount) {
		t.Error("a delivery is the same in any status, and another one with another amount")
	}
}

// TestWhichStatusPrecedesWhich repeats the table of transitions, by pairs.
func TestWhichStatusPrecedesWhich(t *testing.T) {
	t.Parallel()
	follows := map[seamless.DeliveryStatus]string{
		seamless.Asking:     "paid declined unknown",
		seamless.Unknown:    "reversing declined unknown closed",
		seamless.Reversing:  "reversed rejected reversing closed",
		seamless.Delivering: "delivered rejected delivering closed",
		seamless.Rejected:   "delivering reversing closed",
	}
	waits := "asking unknown reversing delivering"
	for _, from := range seamless.DeliveryStatuses() {
		for _, to := range seamless.DeliveryStatuses() {
			want := strings.Contains(" "+follows[from]+" ", " "+string(to)+" ")
			if got := from.Precedes(to); got != want {
				t.Errorf("%s precedes %s: %v", from, to, got)
			}
		}
		if got := from.Pending(); got != strings.Contains(" "+waits+" ", " "+string(from)+" ") {
			t.Errorf("%s waits: %v", from, got)
		}
	}
	for event, want := range map[seamless.DeliveryEvent]bool{
		seamless.SiteAccepted: true, seamless.SiteRefused: true, seamless.NoResponse: false, seamless.NotSent: false, seamless.Resend: false, seamless.Close: false,
	} {
		if event.FromSite() != want {
			t.Errorf("%s is from the site: %v", event, event.FromSite())
		}
	}
	if _, ok := seamless.ParseDeliveryStatus("lost"); ok {
		t.Error("lost is a status")
	}
}

func TestTextsOfProviders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ txn, code bool }{
		"": {}, "a": {true, true}, "vs20-x_y.z": {true, true}, "a b": {}, "a/b": {true, false}, "é": {}, "a\n": {}, "~!": {true, false},
		strings.Repeat("a", 64): {true, true}, strings.Repeat("a", 65): {true, false},
		strings.Repeat("a", 128): {true, false}, strings.Repeat("a", 129): {},
	} {
		if seamless.ValidTxnID(text) != want.txn || seamless.ValidCode(text) != want.code {
			t.Errorf("%.20q of %d: %v, %v", text, len(text), seamless.ValidTxnID(text), seamless.ValidCode(text))
		}
	}
}

func TestNumbersAtTheirEdges(t *testing.T) {
	t.Parallel()
	nines := strings.Repeat("9", 40)
	for text, want := range map[string]string{
		nines: nines, nines + "9": "", "1." + strings.Repeat("1", 40): "1." + strings.Repeat("1", 40), "1." + strings.Repeat("1", 41): "",
		strings.Repeat("0", 41): "", "0." + strings.Repeat("0", 41): "",
		"1e39": "1" + strings.Repeat("0", 39), "1e40": "", "1e-40": "0." + strings.Repeat("0", 39) + "1", "1e-41": "",
		"0e999": "0", "0e1000": "", "0e-999": "0", "0e0001": "", "1e+2": "100", "1e++2": "", "e5": "", "12.34e1": "123.4", "12.34e-1": "1.234",
		"12.34e-3": "0.01234", "12.34e3": "12340", "1.5e0": "1.5", "-": "", "-x": "", "-.0": "", "-0.00": "0", "-00": "0", "0.10": "0.1",
	} {
		got, err := seamless.ParseDecimal("bet_money", text)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%q is read as %q, %v, want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]struct {
		amount  money.Amount
		residue string
		ok      bool
	}{
		"9223372036854775807": {money.Max, "", true}, "9223372036854775808": {}, "18446744073709551616": {},
		"9223372036854775806.5": {money.Max - 1, "0.5", true}, "": {0, "", true}, "0": {0, "", true}, "0.25": {0, "0.25", true},
	} {
		if amount, residue, ok := seamless.Decimal(text).Units(0); amount != want.amount || residue != want.residue || ok != want.ok {
			t.Errorf("%q is %d, %q, %v", text, amount, residue, ok)
		}
	}
	for want, row := range map[seamless.Decimal]struct {
		amount money.Amount
		scale  seamless.Scale
	}{
		"0": {0, 0}, "5": {5, 0}, "0.05": {5, 2}, "1.5": {150, 2}, "3": {300, 2}, "12": {12, 0}, "0.000000000000000001": {1, 18},
	} {
		if got := seamless.DecimalOf(row.amount, row.scale); got != want {
			t.Errorf("%d at scale %d is %q, want %q", row.amount, row.scale, got, want)
		}
	}
	if got := seamless.DecimalOf(0, 4); got != "0" {
		t.Errorf("nothing is %q", got)
	}
}

func TestRollbacksReduceTheirRound(t *testing.T) {
	t.Parallel()
	round := seamless.Round{ID: "r", Ref: seamless.Ref{TxnID: "b1"}, Wager: 500, Payout: 700, Credits: 1, Balance: 1}
	for name, row := range map[string]struct {
		reference string
		bet, win  money.Amount
		want      seamless.Round
		fits      bool
	}{
		"its bet":         {"b1", 0, 500, seamless.Round{Payout: 700, RolledBack: true}, true},
		"a free bet":      {"b1", 0, 0, seamless.Round{Wager: 500, Payout: 700, RolledBack: true}, true},
		"its win":         {"w1", 700, 0, seamless.Round{Wager: 500}, true},
		"the whole round": {"b1", 700, 500, seamless.Round{RolledBack: true}, true},
		"a larger bet":    {"b1", 0, 501, seamless.Round{}, false},
		"a larger win":    {"w1", 701, 0, seamless.Round{}, false},
	} {
		undone := seamless.Transaction{Kind: seamless.Rollback, Status: seamless.Taken, Reference: row.reference, Bet: row.bet, Win: row.win, Balance: 9}
		want := row.want
		want.ID, want.Ref, want.Credits, want.Balance = "r", round.Ref, 2, 9
		if !row.fits {
			want = round
		}
		if got, fits := round.With(undone); got != want || fits != row.fits {
			t.Errorf("%s: %+v, %v, want %+v", name, got, fits, want)
		}
	}
}
