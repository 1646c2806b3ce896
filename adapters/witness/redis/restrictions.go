package redis

import (
	"context"
	"fmt"

	goredis "github.com/redis/go-redis/v9"

	"github.com/casino-service/casino/adapters/internal/keptheads"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/ports"
)

// RestrictionsKey is the prefix of the key of a ledger's hash of restrictions: a field for
// each subject. It never expires.
const RestrictionsKey = "casino:restrictions:"

var _ ports.Restrictions = (*Restrictions)(nil)

// Restrictions keeps restrictions in one Redis, shared by all instances. It is safe for
// concurrent use.
type Restrictions struct {
	client goredis.Cmdable
	seals  ports.Authenticator
}

// NewRestrictions returns Restrictions on a client.
func NewRestrictions(client goredis.Cmdable, seals ports.Authenticator) *Restrictions {
	return &Restrictions{client: client, seals: seals}
}

// Keep implements ports.Restrictions.
func (r *Restrictions) Keep(ctx context.Context, ledger string, all []restriction.Restriction) error {
	if len(all) == 0 {
		return nil
	}
	begin := keptheads.Beginning(all[0].At)
	line, err := keptheads.EncodeRestriction(r.seals, ledger, begin)
	if err != nil {
		return err
	}
	var fields []any
	for _, each := range all {
		line, err := keptheads.EncodeRestriction(r.seals, ledger, each)
		if err != nil {
			return err
		}
		fields = append(fields, restrictionField(each), line)
	}
	// Write the beginning first: lines without it would look like a complete list.
	if err := r.client.HSetNX(ctx, RestrictionsKey+ledger, restrictionField(begin), line).Err(); err != nil {
		return fmt.Errorf("restrictions: %w", err)
	}
	if err := r.client.HSet(ctx, RestrictionsKey+ledger, fields...).Err(); err != nil {
		return fmt.Errorf("restrictions: %w", err)
	}
	return nil
}

func restrictionField(r restriction.Restriction) string { return string(r.Kind) + " " + r.Subject }

// Kept implements ports.Restrictions.
func (r *Restrictions) Kept(ctx context.Context, ledger string) (kept ports.KeptRestrictions, err error) {
	fields, err := r.client.HGetAll(ctx, RestrictionsKey+ledger).Result()
	if err != nil {
		return kept, fmt.Errorf("restrictions: %w", err)
	}
	for field, line := range fields {
		of, each, err := keptheads.DecodeRestriction(r.seals, line)
		switch {
		case err != nil || of != ledger || field != restrictionField(each):
			kept.Spoiled++
		case keptheads.IsBeginning(each):
			kept.Since = each.At
		default:
			kept.All = append(kept.All, each)
		}
	}
	kept.All = restriction.Latest(kept.All)
	if kept.Since.IsZero() { // the beginning is damaged: use the oldest that is left
		kept.Since = restriction.Earliest(kept.All)
	}
	return kept, nil
}
