package api_test

import (
	"encoding/json"
	"testing"

	other "github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// TestNumbersKeepTheirDigits compares both codecs: the service writes with one, clients
// read with the other.
func TestNumbersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	type body struct {
		N api.Number  `json:"n"`
		P *api.Number `json:"p"`
	}
	for _, digits := range []string{"0", "-7", "12.50", "340282366920938463463374607431768211455", "1e400"} {
		written, err := other.Marshal(body{N: api.Number(digits)})
		if want := `{"n":` + digits + `,"p":null}`; err != nil || string(written) != want {
			t.Errorf("%s is written as %s, %v", digits, written, err)
		}
		var read body
		if err := json.Unmarshal(written, &read); err != nil || read.N.String() != digits || read.P != nil {
			t.Errorf("%s is read as %+v, %v", written, read, err)
		}
	}
	if written, err := other.Marshal(body{}); err == nil {
		t.Errorf("an empty number is written as %s", written)
	}
	for _, text := range []string{`"5"`, `true`, `[1]`} {
		var read body
		if err := json.Unmarshal([]byte(`{"n":`+text+`}`), &read); err == nil {
			t.Errorf("%s is read as %q", text, read.N)
		}
	}
}
