package redis

import (
	"context"
	"fmt"

	goredis "github.com/redis/go-redis/v9"

	"github.com/casino-service/casino/adapters/internal/keptheads"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/ports"
)

// RestrictionsKey begins the key of the hash in which restrictions of a ledger are kept:
// a field for each subject. It never expires.
const RestrictionsKey = "casino:restrictions:"

var _ ports.Restrictions = (*Restrictions)(nil)

// Restrictions keeps restrictions in one Redis, for all instances together. It is safe
// for concurrent use.
type Restrictions struct {
	client goredis.Cmdable
	seals  ports.Authenticator
}

// NewRestrictions returns restrictions on a client.
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
	// The beginning first: what is there without one would seem to be all there ever was.
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
	if kept.Since.IsZero() { // its beginning was spoiled: from the first that is left
		kept.Since = restriction.Earliest(kept.All)
	}
	return kept, nil
}
