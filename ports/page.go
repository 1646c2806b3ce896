package ports

// PageMax and PageDefault bound how many things a page lists.
const (
	PageMax     = 100
	PageDefault = 20
)

// TotalMax is how far a list is counted; beyond it PageInfo.Capped is set.
const TotalMax = 10_000

// Page says which part of a list is wanted. Lists are newest first: ids sort by
// time, and the list runs down them.
type Page struct {
	// Number counts pages from 1 and is ignored with a cursor. A page that
	// begins beyond TotalMax is empty.
	Number int
	// Limit is from 1 to PageMax.
	Limit int
	// After is the cursor: the id after which the page begins, empty for pages by number.
	After string
	// Uncounted leaves Total 0: for whoever walks a whole list and counts himself.
	Uncounted bool
}

// PageInfo tells where a page stands in its list.
type PageInfo struct {
	// Total counts the whole list under the filter, at most TotalMax.
	Total  int
	Capped bool
	// Next is the cursor of the next page, empty at the end.
	Next string
}
