package ports

import "context"

// Sorter sorts records that may be more than memory holds. It is for one use by one
// goroutine.
type Sorter interface {
	// Add keeps a record. The slices may be changed afterwards.
	Add(key, value []byte) error
	// Sorted calls visit for each record in order of keys, those of one key in the order
	// in which they were added. The slices are valid until visit returns. Nothing is
	// added afterwards. An error of visit ends the walk and is returned.
	Sorted(ctx context.Context, visit func(key, value []byte) error) error
	// Close forgets the records, and gives back what they were kept in.
	Close() error
}
