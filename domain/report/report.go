// Package report defines reports as tables: typed columns, rows of canonical cells, spans of
// UTC days, and the bytes of the CSV form, of which a run records the hash.
package report

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Type is the type of a column, which says how its cells are written.
type Type string

// The types.
const (
	// Text is any text.
	Text Type = "text"
	// Period is a day (2026-11-29), a month (2026-11) or a year (2026), UTC.
	Period Type = "period"
	// Moment is a time in RFC 3339 with milliseconds, UTC.
	Moment Type = "time"
	// Count is a whole number.
	Count Type = "count"
	// Amount is an amount in base units of the row's token, a whole number that may be
	// negative.
	Amount Type = "amount"
)

// Column is a column of a report.
type Column struct {
	Name    string
	Type    Type
	Meaning string
}

// Row holds a cell for each column.
type Row []string

// FormatCount writes a count.
func FormatCount(n int64) string { return strconv.FormatInt(n, 10) }

// FormatAmount writes an amount in base units.
func FormatAmount(t money.Total) string { return t.String() }

// FormatMoment writes a time.
func FormatMoment(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// Parameter is a value that a report was run with.
type Parameter struct{ Name, Value string }

// Table is the result of a run.
type Table struct {
	Kind       string
	Parameters []Parameter
	Columns    []Column
	Rows       []Row
	// Closed reports that the report's period is over and its figures don't change any more:
	// another run has the same bytes.
	Closed bool
}

// NoActivity is the first cell of the only row of a CSV without rows; the others are empty.
const NoActivity = "no activity"

// CSV returns the table as CSV by RFC 4180, with CRLF. Texts that a spreadsheet could take for
// a formula have an apostrophe before them; see GuardFormula. A table without rows has the row
// NoActivity.
func (t Table) CSV() []byte {
	var out []byte
	line := func(cells []string) {
		for i, cell := range cells {
			if i > 0 {
				out = append(out, ',')
			}
			if strings.ContainsAny(cell, ",\"\r\n") || strings.TrimSpace(cell) != cell {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			out = append(out, cell...)
		}
		out = append(out, '\r', '\n')
	}
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	line(names)
	for _, row := range t.Rows {
		cells := slices.Clone(row)
		for i, c := range t.Columns {
			if c.Type == Text {
				cells[i] = GuardFormula(cells[i])
			}
		}
		line(cells)
	}
	if len(t.Rows) == 0 {
		line(append([]string{NoActivity}, make([]string, max(0, len(t.Columns)-1))...))
	}
	return out
}

// SHA256 returns the hash of the CSV in hexadecimal.
func (t Table) SHA256() string {
	sum := sha256.Sum256(t.CSV())
	return hex.EncodeToString(sum[:])
}

// GuardFormula puts an apostrophe before a text that spreadsheets would read as a formula, even
// after blanks or with a full-width sign (OWASP, CSV injection).
func GuardFormula(text string) string {
	sign, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, unicode.IsSpace))
	if text != "" && (strings.ContainsRune("=+-@＝＋－＠", sign) || strings.ContainsRune("\t\r\n", rune(text[0]))) {
		return "'" + text
	}
	return text
}

// By is the length of the periods that a report sums up.
type By string

// The lengths.
const (
	Day   By = "day"
	Month By = "month"
	Year  By = "year"
)

// ParseBy parses a length.
func ParseBy(text string) (By, error) {
	if _, known := labels[By(text)]; !known {
		return "", fault.Field("by", "must be day, month or year")
	}
	return By(text), nil
}

// DaysMax is the greatest length of a span.
const DaysMax = 366

// settled is how long after the end of a span its last bookings are committed for certain:
// requests take seconds, and instances' clocks differ by less than a minute.
const settled = 15 * time.Minute

// Span is a span of UTC days, both ends inclusive.
type Span struct{ from, to time.Time }

// NewSpan returns the span between two days in the form "2026-11-29". It refuses one that ends
// before it begins, after today, or is longer than DaysMax.
func NewSpan(from, to string, now time.Time) (Span, error) {
	first, err := time.Parse(time.DateOnly, from)
	if err != nil {
		return Span{}, fault.Field("from", "must be a day such as 2026-11-29")
	}
	last, err := time.Parse(time.DateOnly, to)
	switch {
	case err != nil:
		return Span{}, fault.Field("to", "must be a day such as 2026-11-29")
	case last.Before(first):
		return Span{}, fault.Field("to", "must not be before from")
	case last.After(now):
		return Span{}, fault.Field("to", "must not be in the future")
	case last.Sub(first) >= DaysMax*24*time.Hour:
		return Span{}, fault.Field("from", "must be at most %d days before to", DaysMax-1)
	case first.Year() < 1970:
		return Span{}, fault.Field("from", "must not be before 1970")
	}
	return Span{first, last}, nil
}

// From and To return the first and the last day.
func (s Span) From() string { return s.from.Format(time.DateOnly) }

// To returns the last day.
func (s Span) To() string { return s.to.Format(time.DateOnly) }

// Moments returns the first moment of the span and the first after it.
func (s Span) Moments() (from, until time.Time) { return s.from, s.to.AddDate(0, 0, 1) }

// Closed reports whether the span's figures don't change any more.
func (s Span) Closed(now time.Time) bool { return !now.Before(s.to.AddDate(0, 0, 1).Add(settled)) }

// labels are the layouts of periods' names.
var labels = map[By]string{Day: time.DateOnly, Month: "2006-01", Year: "2006"}

// PeriodSpan is a period of a span, cut at the span's ends.
type PeriodSpan struct {
	Label string
	Span
}

// Periods returns the periods of the span, oldest first.
func (s Span) Periods(by By) (all []PeriodSpan) {
	for day := s.from; !day.After(s.to); day = day.AddDate(0, 0, 1) {
		if label := day.Format(labels[by]); len(all) == 0 || all[len(all)-1].Label != label {
			all = append(all, PeriodSpan{label, Span{day, day}})
		}
		all[len(all)-1].to = day
	}
	return all
}

// LabelOf returns the name of the period that a day is in.
func (by By) LabelOf(day string) string { return day[:min(len(labels[by]), len(day))] }
