package api

// PageRequest chooses a page of a list. Each list embeds it in a filter of its own, so
// that a new filter field is added in one place. Zero fields are left to the service:
// the first page of 20. Cursor excludes Page.
type PageRequest struct {
	Page   int64  `query:"page"`
	Limit  int    `query:"limit"`
	Cursor string `query:"cursor"`
}

// PageInfo stands beside the items of every page. Total is exact up to 1,000; of a
// list with more it is 1,000, TotalCapped is set, and pages that begin beyond those
// are requested by NextCursor.
type PageInfo struct {
	Page  *int64 `json:"page"` // nil for pages by cursor
	Limit int    `json:"limit"`
	Total int    `json:"total"`
	// TotalCapped says that there are more than Total.
	TotalCapped bool    `json:"totalCapped,omitzero"`
	NextCursor  *string `json:"nextCursor"` // nil at the end
}
