package sheet_test

import (
	"context"
	"encoding/csv"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
)

// TestFormulasAreGuarded: exactly the texts that a spreadsheet could take for a formula get
// an apostrophe.
func TestFormulasAreGuarded(t *testing.T) {
	t.Parallel()
	var sent, want []string
	for _, sign := range []string{"=", "+", "-", "@", "＝", "＋", "－", "＠"} {
		for _, before := range []string{"", " ", "\t", "  \t", "\u00a0", "\u3000", "\n"} {
			sent, want = append(sent, before+sign+"1"), append(want, "'"+before+sign+"1")
		}
	}
	for _, plain := range []string{"a=1", " a", "1-2", "é=", "late, again"} {
		sent, want = append(sent, plain), append(want, plain)
	}
	answer := httptest.NewRecorder()
	sheet.Sheet[string]{
		Name: "x", Columns: []sheet.Column[string]{sheet.Text("text", func(s string) string { return s })},
		Rows: func(_ context.Context, put func(string) error) error {
			for _, text := range sent {
				if err := put(text); err != nil {
					return err
				}
			}
			return nil
		},
		Now: func() time.Time { return time.Unix(0, 0) }, Logger: slog.New(slog.DiscardHandler),
	}.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	rows, err := csv.NewReader(answer.Body).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Concat(rows[1:]...); !slices.Equal(got, want) {
		t.Errorf("cells %q, want %q", got, want)
	}
}
