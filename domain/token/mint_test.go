package token_test

import (
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/token"
)

// TestCheckMintTakesOnlyWhatIsNamed goes through every number an extension may
// have on chain: three are taken, whatever else Token-2022 has or will have isn't.
func TestCheckMintTakesOnlyWhatIsNamed(t *testing.T) {
	t.Parallel()
	terms := token.Terms{Mint: "mint", Program: token.Token2022, Decimals: 6}
	mint := token.Mint{Program: token.Token2022, Decimals: 6}
	if err := terms.CheckMint(mint); err != nil {
		t.Error(err)
	}
	for number := range 1 << 16 {
		mint.Extensions = []token.Extension{token.Metadata, token.Extension(number)}
		err := terms.CheckMint(mint)
		taken := number == 1 || number == 18 || number == 19
		if taken != (err == nil) || err != nil && !fault.Is(err, fault.TokenNotAccepted) {
			t.Fatalf("extension %d: %v", number, err)
		}
	}
}

func TestCheckMintHoldsTheTerms(t *testing.T) {
	t.Parallel()
	terms := token.Terms{Mint: "mint", Program: token.SPL, Decimals: 6}
	for name, r := range map[string]struct {
		mint token.Mint
		good bool
	}{
		"as it is":           {token.Mint{Program: token.SPL, Decimals: 6}, true},
		"none":               {token.Mint{}, false},
		"of another program": {token.Mint{Program: token.Token2022, Decimals: 6}, false},
		"other decimals":     {token.Mint{Program: token.SPL, Decimals: 9}, false},
		"extended":           {token.Mint{Program: token.SPL, Decimals: 6, Extensions: []token.Extension{token.Metadata}}, false},
	} {
		if err := terms.CheckMint(r.mint); (err == nil) != r.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}
