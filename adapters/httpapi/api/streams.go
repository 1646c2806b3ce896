package api

// EventFilter chooses what a stream of events has. Types are names with commas between
// them, empty for all. Cursor is where it goes on, as an event's id or a page's nextCursor
// named it; the header Last-Event-ID goes before it.
type EventFilter struct {
	Types  string `query:"types"`
	Cursor string `query:"cursor"`
}

// AdminEventFilter chooses events for admins; Wallet is a player's. Limit is that of a page.
type AdminEventFilter struct {
	EventFilter
	Wallet string `query:"wallet"`
	Limit  int    `query:"limit"`
}

// EventPage is a page of events, oldest first. NextCursor is always there: whoever goes on
// from it later hears what came since. More says that there is more to read at once; a page
// may be empty then.
type EventPage struct {
	Events     []Event `json:"events"`
	NextCursor string  `json:"nextCursor"`
	More       bool    `json:"more"`
}
