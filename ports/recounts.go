package ports

import "context"

// Recounts holds what a store keeps counted, so that lists know their totals
// without counting, against the rows it counted.
type Recounts interface {
	// Miscounts counts all rows anew, at one moment each sort, and calls visit for
	// each kept count that is another. A store that keeps no counts calls it never.
	// An error of visit ends the walk and is returned.
	Miscounts(ctx context.Context, visit func(Miscount) error) error
}

// Miscount is a kept count that isn't the number of rows.
type Miscount struct {
	// Of says what is counted, in words.
	Of          string
	Kept, Found int64
}
