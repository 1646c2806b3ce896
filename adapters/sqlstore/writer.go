package sqlstore

import "github.com/casino-service/casino/adapters/sqlstore/internal/writer"

type (
	// Writer commits items in batches: whatever waits when it looks makes one
	// commit, so that an idle service adds no delay and a busy one forms batches by
	// itself. Only beside instances that write as much does a batch wait a moment for
	// more. Commit is safe for concurrent use; Step is called by one loop.
	Writer = writer.Writer
	// WriterOptions are the choices of a writer; zero fields mean the bounds below.
	WriterOptions = writer.Options
	// Writers are the writers of one instance, which share one queue.
	Writers = writer.Writers
)

// The bounds of a writer that WriterOptions leaves at zero, how often a batch is tried
// that the database rolled back because of others, how many writers an instance has at
// most, and how many batches it writes one at a time where others write.
const (
	BatchMax        = writer.BatchMax
	QueueMax        = writer.QueueMax
	PlayerMax       = writer.PlayerMax
	BatchTimeMax    = writer.BatchTimeMax
	ResolveTimeMax  = writer.ResolveTimeMax
	DrainTimeMax    = writer.DrainTimeMax
	GatherTime      = writer.GatherTime
	IdempotencyKeep = writer.IdempotencyKeep
	OperationKeep   = writer.OperationKeep
	ContendedTries  = writer.ContendedTries
	WritersMax      = writer.WritersMax
	AloneFor        = writer.AloneFor
)
