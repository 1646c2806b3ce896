package ports

import "github.com/casino-service/casino/domain/fault"

// PageMax and PageDefault bound how many things a page lists.
const (
	PageMax     = 100
	PageDefault = 20
)

// TotalMax is how far a list is counted; beyond it PageInfo.Capped is set.
const TotalMax = 1_000

// Page says which part of a list is wanted. Lists are newest first: ids sort by
// time, and the list runs down them.
type Page struct {
	// Number counts pages from 1 (0 is the first too) and is ignored with a cursor.
	Number int
	// Limit is from 1 to PageMax.
	Limit int
	// After is the cursor: the id after which the page begins, empty for pages by number.
	After string
	// Uncounted leaves Total 0: for callers that walk a whole list by its cursors.
	Uncounted bool
}

// PageInfo is a page's place in its list.
type PageInfo struct {
	// Total counts the whole list under the filter, at most TotalMax.
	Total int
	// Capped says that the list has more than Total.
	Capped bool
	// Next is the cursor of the next page, empty at the end.
	Next string
}

// Skip returns how many things come before the page, and whether the page is empty
// because the list ends before it. info has the list's total. A page by number that
// begins beyond the first TotalMax of a list with more is Invalid: only cursors go
// on there. Every store uses it.
func (p Page) Skip(info PageInfo) (n int, empty bool, err error) {
	if p.After != "" {
		return 0, false, nil
	}
	switch n = max(p.Number-1, 0) * p.Limit; {
	case n >= TotalMax && (info.Capped || p.Uncounted):
		return 0, false, fault.Field("page", "must begin within the first %d of a longer list: go on by nextCursor", TotalMax)
	case p.Uncounted:
		return n, false, nil
	}
	return n, n >= info.Total, nil
}
