package report_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/report"
)

func TestCSVGuardsFormulasAndQuotes(t *testing.T) {
	t.Parallel()
	columns := []report.Column{{Name: "name", Type: report.Text}, {Name: "amount", Type: report.Amount}}
	table := report.Table{Columns: columns, Rows: []report.Row{
		{"=1+1", "-5"}, {"@SUM(A1)", "7"}, {" +x", "0"}, {`a "b", c`, "1"}, {"two\r\nlines", "2"}, {"＝wide", "3"}, {"plain", "4"},
	}}
	want := "name,amount\r\n'=1+1,-5\r\n'@SUM(A1),7\r\n' +x,0\r\n\"a \"\"b\"\", c\",1\r\n\"two\r\nlines\",2\r\n'＝wide,3\r\nplain,4\r\n"
	if got := string(table.CSV()); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if read, err := csv.NewReader(strings.NewReader(want)).ReadAll(); err != nil || len(read) != 8 {
		t.Errorf("%d records: %v", len(read), err)
	}
}

func TestNoActivityIsStated(t *testing.T) {
	t.Parallel()
	table := report.Table{Columns: []report.Column{{Name: "day"}, {Name: "a"}, {Name: "b"}}}
	if got := string(table.CSV()); got != "day,a,b\r\nno activity,,\r\n" {
		t.Errorf("%q", got)
	}
}

func TestSpansAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 29, 23, 59, 59, 999_000_000, time.UTC)
	for _, c := range []struct{ from, to, refused string }{
		{"2026-11-29", "2026-11-29", ""},
		{"2025-11-29", "2026-11-29", ""}, // 366 days
		{"2025-11-28", "2026-11-29", "at most 365 days before"},
		{"0001-01-01", "2026-11-29", "at most 365 days before"},
		{"2026-11-29", "2026-11-30", "future"},
		{"2026-11-30", "2026-11-30", "future"},
		{"2026-11-29", "9999-12-31", "future"},
		{"2026-11-29", "2026-11-28", "before from"},
		{"2026-02-30", "2026-11-29", "a day such as"},
		{"2026-11-29", "29.11.2026", "a day such as"},
		{"", "2026-11-29", "a day such as"},
		{"1969-12-31", "1970-01-01", "1970"},
	} {
		_, err := report.NewSpan(c.from, c.to, now.In(time.FixedZone("east", 9*3600)))
		if (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s to %s: %v, want %q", c.from, c.to, err, c.refused)
		}
	}
}

func TestASpanIsClosedWhenItsBookingsAreCommitted(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, time.November, 30, 0, 0, 0, 0, time.UTC)
	span, err := report.NewSpan("2026-11-01", "2026-11-29", midnight)
	if err != nil {
		t.Fatal(err)
	}
	for after, closed := range map[time.Duration]bool{-time.Millisecond: false, 0: false, 15*time.Minute - 1: false, 15 * time.Minute: true} {
		if span.Closed(midnight.Add(after)) != closed {
			t.Errorf("%v after its end closed is %v", after, !closed)
		}
	}
	if from, until := span.Moments(); !from.Equal(midnight.AddDate(0, 0, -29)) || !until.Equal(midnight) {
		t.Errorf("from %v until %v", from, until)
	}
}

func TestPeriodsAreCutAtTheEnds(t *testing.T) {
	t.Parallel()
	span, err := report.NewSpan("2025-12-30", "2026-02-02", time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	for by, want := range map[report.By]string{
		report.Month: "2025-12 2025-12-30 2025-12-31, 2026-01 2026-01-01 2026-01-31, 2026-02 2026-02-01 2026-02-02",
		report.Year:  "2025 2025-12-30 2025-12-31, 2026 2026-01-01 2026-02-02",
	} {
		var all []string
		for _, p := range span.Periods(by) {
			all = append(all, fmt.Sprint(p.Label, " ", p.From(), " ", p.To()))
			if by.LabelOf(p.From()) != p.Label {
				t.Errorf("%s is in %s", p.From(), by.LabelOf(p.From()))
			}
		}
		if got := strings.Join(all, ", "); got != want {
			t.Errorf("%s: %s", by, got)
		}
	}
	if days := span.Periods(report.Day); len(days) != 35 || days[34].Label != "2026-02-02" {
		t.Errorf("%d days", len(days))
	}
}
