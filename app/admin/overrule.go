package admin

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"time"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// OverruleAdmission requests that what screeners refused is admitted from now on. The caller is
// the first of two persons. Key is the target of the refusal's record in the audit log, see
// admission.Subject.Key. Without such a record it is NotFound.
func (c *Service) OverruleAdmission(ctx context.Context, caller kernel.Caller, key, reason string) (approval.Approval, error) {
	own, err := c.core.AuthorizeFor(ctx, caller, rbac.BalancesWrite, reason)
	if err != nil {
		return approval.Approval{}, err
	}
	last, err := c.core.Store.AuditLog.Records(ctx, ports.AuditFilter{Target: key, Action: audit.AdmissionDecided}, ports.Page{Number: 1, Limit: 1})
	switch {
	case err != nil:
		return approval.Approval{}, err
	case key == "" || len(last.Records) == 0:
		return approval.Approval{}, fault.New(fault.NotFound, "no decision about %q", key)
	case strings.HasPrefix(last.Records[0].After, string(admission.Allow)+" "):
		return approval.Approval{}, fault.New(fault.InvalidState, "this is admitted").With("status", string(admission.Allow))
	}
	if isOwnAccess(key, caller.Wallet) {
		return approval.Approval{}, fault.New(fault.Forbidden, "admins can't admit themselves")
	}
	request := approval.Request{Kind: approval.AdmissionOverruling, Wallet: last.Records[0].By, Reference: key, Reason: reason}
	switch _, err := c.core.Store.Players.Player(ctx, request.Wallet); {
	case fault.Is(err, fault.NotFound): // it was refused at its first sign-in, so it has no agent
		if request.Wallet = ""; own.AgentCode != "" {
			return approval.Approval{}, fault.New(fault.NotFound, "no decision about %q", key)
		}
	case err != nil:
		return approval.Approval{}, err
	}
	asked, err := c.approvals.Ask(ctx, caller, request, kernel.Idempotency{})
	return asked.Approval, err
}

// overruleEffect returns the effect of approving an overruling: its record, which the screening
// reads.
func (c *Service) overruleEffect(ctx context.Context, asked approval.Approval, caller kernel.Caller) (approvals.Effect, error) {
	// What the first person saw: a later refusal may have another reason.
	refused, err := c.core.Store.AuditLog.Records(ctx, ports.AuditFilter{
		Target: asked.Reference, Action: audit.AdmissionDecided, To: asked.CreatedAt.Add(time.Millisecond),
	}, ports.Page{Number: 1, Limit: 1})
	if err != nil || len(refused.Records) == 0 {
		return approvals.Effect{}, errors.Join(err, fault.New(fault.NotFound, "no decision about %q", asked.Reference))
	}
	id, before := c.core.Entropy.ID(), refused.Records[0].After
	return approvals.Effect{
		CarryOut: func(_ player.View, agreed approval.Approval) (player.Change, error) {
			if isOwnAccess(asked.Reference, caller.Wallet) {
				return player.Change{}, fault.New(fault.Forbidden, "admins can't admit themselves")
			}
			record, err := c.core.Screening.SealOverruling(audit.Record{
				ID: id, Action: audit.AdmissionOverruled, By: caller.Wallet, Target: asked.Reference,
				Before: before, After: string(asked.By) + ": " + asked.Reason, At: agreed.DecidedAt, RequestID: caller.RequestID,
			})
			return player.Change{Audit: []audit.Record{record}}, err
		},
		Finish: func(context.Context, approval.Approval, bool) error {
			c.core.Screening.Forget()
			return nil
		},
	}, nil
}

func isOwnAccess(key string, w wallet.Address) bool {
	return key == kernel.AccessOf(admission.SignIn, w, "", netip.Addr{}).Key()
}
