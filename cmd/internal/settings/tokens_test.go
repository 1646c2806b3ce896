package settings_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

const goodTokens = `{"tokens": [{"mint": "So11111111111111111111111111111111111111112", "symbol": "SOL", "decimals": 9,
"program": "system", "minDeposit": 1, "maxWager": 1000000, "maxPayout": 100000000, "minWithdrawal": 1, "maxWithdrawal": 1000,
"twoPersonAbove": null, "twoPersonAbovePerDay": null, "payoutCap": 1000, "payoutCapPerHour": 1000, "bankrollShare": "0.025"}]}`

func TestTokensFile(t *testing.T) {
	t.Parallel()
	all, err := settings.ReadTokens(strings.NewReader(goodTokens), false)
	if err != nil {
		t.Fatal(err)
	}
	sol := all[0]
	if sol.MinWager != token.MinWagerDefault || sol.TwoPersonAbove != token.NoTwoPerson || sol.BankrollShare != (money.Ratio{Num: 25, Den: 1000}) {
		t.Errorf("defaults: %+v", sol)
	}
	for name, text := range map[string]string{
		"no JSON":           `{`,
		"no tokens":         `{"tokens": []}`,
		"an unknown field":  strings.Replace(goodTokens, `"symbol"`, `"simbol"`, 1),
		"twice the same":    strings.Replace(goodTokens, `]}`, `, `+goodTokens[len(`{"tokens": [`):len(goodTokens)-2]+`]}`, 1),
		"a fraction":        strings.Replace(goodTokens, `"maxWager": 1000000`, `"maxWager": 1000000.5`, 1),
		"a share above 1":   strings.Replace(goodTokens, `0.025`, `1.1`, 1),
		"a share of words":  strings.Replace(goodTokens, `0.025`, `all`, 1),
		"SOL under SPL":     strings.Replace(goodTokens, `"system"`, `"spl-token"`, 1),
		"no such program":   strings.Replace(goodTokens, `"system"`, `"evm"`, 1),
		"two persons a day": strings.Replace(goodTokens, `"twoPersonAbovePerDay": null`, `"twoPersonAbovePerDay": 1.5`, 1),
		"two persons":       strings.Replace(goodTokens, `"twoPersonAbove": null`, `"twoPersonAbove": "never"`, 1),
		"a wager above":     strings.Replace(goodTokens, `"maxPayout": 100000000`, `"maxPayout": 1`, 1),
	} {
		if _, err := settings.ReadTokens(strings.NewReader(text), false); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestAWrittenTokensFileIsReadBackAsTheSameTerms(t *testing.T) {
	t.Parallel()
	of := func(text string, stated bool) []token.Terms {
		t.Helper()
		all, err := settings.ReadTokens(strings.NewReader(text), stated)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	want := of(strings.NewReplacer(`"decimals": 9`, `"decimals": 6, "minWager": 7, "newAccountFee": 5, "largeWin": 9`, `"system"`, `"spl-token"`,
		"So11111111111111111111111111111111111111112", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
		`"twoPersonAbovePerDay": null`, `"twoPersonAbovePerDay": 0`).Replace(goodTokens), true)
	want = append(want, of(goodTokens, true)...)
	var text strings.Builder
	if err := settings.WriteTokens(&text, want); err != nil {
		t.Fatal(err)
	}
	got := of(text.String(), true) // with every choice stated
	for i := range want {
		a, b := want[i], got[i]
		if a.BankrollShare.Cmp(b.BankrollShare) != 0 {
			t.Errorf("the share %s is %s", a.BankrollShare, b.BankrollShare)
		}
		if a.BankrollShare = b.BankrollShare; a != b {
			t.Errorf("%+v\nis written and read as\n%+v", a, b)
		}
	}
}

func TestWhereMoneyIsRealTwoPersonAbovePerDayMustBeStated(t *testing.T) {
	t.Parallel()
	silent := strings.Replace(goodTokens, `"twoPersonAbovePerDay": null, `, ``, 1)
	if _, err := settings.ReadTokens(strings.NewReader(silent), true); err == nil || !strings.Contains(err.Error(), "twoPersonAbovePerDay") {
		t.Errorf("left out: %v", err)
	}
	for text, want := range map[string]money.Amount{"null": token.NoTwoPerson, "0": 0, "5000": 5000} {
		stated := strings.Replace(goodTokens, `"twoPersonAbovePerDay": null`, `"twoPersonAbovePerDay": `+text, 1)
		if all, err := settings.ReadTokens(strings.NewReader(stated), true); err != nil || all[0].TwoPersonAbovePerDay != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWhereMoneyIsRealTwoPersonAboveMustBeStated(t *testing.T) {
	t.Parallel()
	silent := strings.Replace(goodTokens, `"twoPersonAbove": null, `, ``, 1)
	if _, err := settings.ReadTokens(strings.NewReader(silent), true); err == nil || !strings.Contains(err.Error(), "twoPersonAbove") {
		t.Errorf("left out: %v", err)
	}
	if all, err := settings.ReadTokens(strings.NewReader(silent), false); err != nil || all[0].TwoPersonAbove != token.NoTwoPerson {
		t.Errorf("left out where money is made up: %v", err)
	}
	for text, want := range map[string]money.Amount{"null": token.NoTwoPerson, "0": 0, "5000": 5000} {
		stated := strings.Replace(goodTokens, `"twoPersonAbove": null`, `"twoPersonAbove": `+text, 1)
		if all, err := settings.ReadTokens(strings.NewReader(stated), true); err != nil || all[0].TwoPersonAbove != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWhereMoneyIsRealTheFeeOfATokenAccountMustBeStated(t *testing.T) {
	t.Parallel()
	silent := strings.NewReplacer(string(money.SOL), "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", `"system"`, `"spl-token"`).Replace(goodTokens)
	if _, err := settings.ReadTokens(strings.NewReader(silent), true); err == nil || !strings.Contains(err.Error(), "newAccountFee") {
		t.Errorf("left out: %v", err)
	}
	if _, err := settings.ReadTokens(strings.NewReader(silent), false); err != nil {
		t.Errorf("left out where money is made up: %v", err)
	}
	if _, err := settings.ReadTokens(strings.NewReader(goodTokens), true); err != nil {
		t.Errorf("left out of SOL, which needs no account: %v", err)
	}
	for text, want := range map[string]money.Amount{"0": 0, "500000": 500_000} {
		stated := strings.Replace(silent, `"payoutCap"`, `"newAccountFee": `+text+`, "payoutCap"`, 1)
		if all, err := settings.ReadTokens(strings.NewReader(stated), true); err != nil || all[0].NewAccountFee != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
