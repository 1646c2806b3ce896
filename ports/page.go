package ports

import "github.com/casino-service/casino/domain/fault"

// PageMax and PageDefault limit the number of things on a page.
const (
	PageMax     = 100
	PageDefault = 20
)

// TotalMax is how far a list is counted; PageInfo.Capped is set for longer lists.
const TotalMax = 1_000

// Page selects a part of a list. Lists are newest first, in descending order of ids,
// which sort by time.
type Page struct {
	// Number counts pages from 1 (0 means 1) and is ignored with a cursor.
	Number int
	// Limit is from 1 to PageMax.
	Limit int
	// After is the cursor: the id before the page, empty for pages by number.
	After string
	// Uncounted leaves Total 0, for callers that walk a whole list by cursors.
	Uncounted bool
}

// PageInfo describes a page's place in its list.
type PageInfo struct {
	// Total counts the whole list under the filter, at most TotalMax.
	Total int
	// Capped reports that the list has more than Total.
	Capped bool
	// Next is the cursor of the next page, empty at the end.
	Next string
}

// Skip returns how many things come before the page, and whether the list ends before
// the page. info has the list's total. In a list longer than TotalMax a page by number
// must begin within the first TotalMax, else it is Invalid. Every store uses it.
func (p Page) Skip(info PageInfo) (n int, empty bool, err error) {
	if p.After != "" {
		return 0, false, nil
	}
	switch n = max(p.Number-1, 0) * p.Limit; {
	case n >= TotalMax && (info.Capped || p.Uncounted):
		return 0, false, fault.Field("page", "must begin within the first %d of a longer list: use nextCursor to continue", TotalMax)
	case p.Uncounted:
		return n, false, nil
	}
	return n, n >= info.Total, nil
}
