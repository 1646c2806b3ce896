package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// pageOf is any list of a port, as ids.
type pageOf func(page ports.Page) (ids []string, info ports.PageInfo, err error)

// lists proves the rules of every list on one: want is all of it by id, newest
// first.
func (b *bench) lists(what string, want []string, list pageOf) {
	b.Helper()
	if !slices.IsSortedFunc(want, func(x, y string) int { return -compareText(x, y) }) {
		b.Fatalf("%s: the story expects a list that isn't newest first: %v", what, want)
	}
	ask := func(page ports.Page) ([]string, ports.PageInfo) {
		b.Helper()
		ids, info, err := list(page)
		if err != nil {
			b.Fatalf("%s, page %+v: %v", what, page, err)
		}
		if info.Total != len(want) || info.Capped {
			b.Fatalf("%s, page %+v: the total is %d, capped %v, want %d", what, page, info.Total, info.Capped, len(want))
		}
		return ids, info
	}
	for _, limit := range []int{1, 3, len(want), ports.PageMax} {
		if limit == 0 {
			continue
		}
		for number := 1; number <= len(want)/limit+2; number++ {
			from := min((number-1)*limit, len(want))
			to := min(from+limit, len(want))
			ids, info := ask(ports.Page{Number: number, Limit: limit})
			b.same(fmt.Sprintf("%s, page %d of %d", what, number, limit), ids, want[from:to])
			next := ""
			if to < len(want) {
				next = want[to-1]
			}
			b.same(fmt.Sprintf("%s, cursor after page %d of %d", what, number, limit), info.Next, next)
		}
		var walked []string
		for page := (ports.Page{Number: 1, Limit: limit}); ; {
			ids, info := ask(page)
			walked = append(walked, ids...)
			if page.After = info.Next; page.After == "" || len(walked) > len(want) {
				break
			}
			page.Number = 7 // ignored beside a cursor
		}
		b.same(fmt.Sprintf("%s, walked by %d", what, limit), walked, want)
	}
	for _, page := range []ports.Page{
		{Number: ports.TotalMax + 1, Limit: 1}, {Number: ports.TotalMax/ports.PageMax + 1, Limit: ports.PageMax},
		{Number: 1 << 40, Limit: ports.PageMax},
	} {
		if ids, info := ask(page); len(ids) != 0 || info.Next != "" {
			b.Errorf("%s: page %+v beyond the end has %v, next %q", what, page, ids, info.Next)
		}
	}
	b.uncountedEnds(what, list)
	if len(want) > 0 {
		if ids, info := ask(ports.Page{Limit: 5, After: want[len(want)-1]}); len(ids) != 0 || info.Next != "" {
			b.Errorf("%s: after the oldest come %v, next %q", what, ids, info.Next)
		}
		between := want[0][:len(want[0])-1] + string(want[0][len(want[0])-1]-1) + "~" // an id nobody has, just below the newest
		if ids, _ := ask(ports.Page{Limit: ports.PageMax, After: between}); len(want) <= ports.PageMax {
			b.same(what+", after an id that isn't there", ids, below(want, between))
		}
	}
}

func compareText(x, y string) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func below(all []string, id string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other >= id })
}

// cappedAt proves the rules of a list that is longer than TotalMax.
func (b *bench) cappedAt(what string, want []string, list pageOf) {
	b.Helper()
	if len(want) <= ports.TotalMax+ports.PageMax {
		b.Fatalf("%s: a list of %d isn't long enough", what, len(want))
	}
	for _, row := range []struct {
		page     ports.Page
		from, to int
	}{
		{ports.Page{Number: 1, Limit: ports.PageMax}, 0, ports.PageMax},
		{ports.Page{Number: ports.TotalMax / ports.PageMax, Limit: ports.PageMax}, ports.TotalMax - ports.PageMax, ports.TotalMax},
		{ports.Page{Number: (ports.TotalMax-1)/30 + 1, Limit: 30}, (ports.TotalMax - 1) / 30 * 30, (ports.TotalMax-1)/30*30 + 30}, // begins within
		{ports.Page{Limit: ports.PageMax, After: want[ports.TotalMax-1]}, ports.TotalMax, ports.TotalMax + ports.PageMax},
	} {
		ids, info, err := list(row.page)
		if err != nil {
			b.Fatal(err)
		}
		if info.Total != ports.TotalMax || !info.Capped {
			b.Errorf("%s, page %+v: total %d, capped %v", what, row.page, info.Total, info.Capped)
		}
		b.same(fmt.Sprintf("%s, page %+v", what, row.page), ids, want[row.from:row.to])
		b.same(fmt.Sprintf("%s, cursor after page %+v", what, row.page), info.Next, want[row.to-1])
	}
	for _, page := range []ports.Page{
		{Number: ports.TotalMax/ports.PageMax + 1, Limit: ports.PageMax}, {Number: ports.TotalMax + 1, Limit: 1}, {Number: 1 << 40, Limit: 7},
	} {
		b.goesOnByCursor(what, page, list)
	}
	b.uncountedEnds(what, list)
}

// uncountedEnds asks for a page beyond TotalMax of a list that is shorter.
func (b *bench) uncountedEnds(what string, list pageOf) {
	b.Helper()
	b.goesOnByCursor(what, ports.Page{Number: ports.TotalMax + 1, Limit: 1, Uncounted: true}, list)
}

// goesOnByCursor proves that a page is refused for its number, and that the refusal
// names the cursor.
func (b *bench) goesOnByCursor(what string, page ports.Page, list pageOf) {
	b.Helper()
	ids, _, err := list(page)
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Kind != fault.Invalid || refusal.Details["field"] != "page" ||
		!strings.Contains(refusal.Message, "nextCursor") || len(ids) > 0 {
		b.Errorf("%s, page %+v: %v, %v", what, page, ids, err)
	}
}

// newest returns the ids, newest first.
func newest(ids []string) []string {
	sorted := slices.Sorted(slices.Values(ids))
	slices.Reverse(sorted)
	return sorted
}
