package sqlstore

import "github.com/casino-service/casino/adapters/sqlstore/internal/writer"

type (
	// Writer commits items in batches. All items that wait when it looks form one commit, so that
	// an idle service adds no delay and a busy one forms batches. A batch waits briefly for more
	// only beside instances that write as much. Commit is safe for concurrent use; Step must be
	// called by one loop.
	Writer = writer.Writer
	// WriterOptions configures a writer; zero fields mean the limits below.
	WriterOptions = writer.Options
	// Writers are the writers of one instance, which share one queue.
	Writers = writer.Writers
)

// The limits of a writer where WriterOptions has zero, how often a batch is retried that the
// database rolled back because of other transactions, the most writers of an instance, and how
// many batches a writer writes one at a time beside other instances.
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
