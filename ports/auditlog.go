package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/wallet"
)

// AuditLog reads the record of all changes and their actors. Each record is appended in
// the commit of its change.
type AuditLog interface {
	// Records lists records, newest first.
	Records(ctx context.Context, filter AuditFilter, page Page) (AuditPage, error)
}

// AuditFilter narrows a list of records; zero fields don't. From is inclusive,
// To exclusive.
type AuditFilter struct {
	By       wallet.Address
	Target   string
	Action   audit.Action
	Part     audit.Part
	From, To time.Time
}

// AuditPage is a page of records.
type AuditPage struct {
	Records []audit.Record
	PageInfo
}
