package kernel

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

const (
	// screenTime bounds how long the screeners of one question may take.
	screenTime = 10 * time.Second
	// playFresh is for how long an admission to bets counts, playMax how many are kept.
	playFresh = time.Minute
	playMax   = 100_000
	// recordsCompared is how many earlier decisions a new one is compared with: more than a player
	// has open withdrawals.
	recordsCompared = 20
)

// ErrUnscreened refuses what a screener can't judge now. Nothing was changed.
var ErrUnscreened = fault.New(fault.Unavailable, "a check that this needs can't be made now: try again").
	With("status", admission.ScreenedStatus).With("outcome", "none").With("retryAfterMs", int64(5000))

// Screening asks the screeners. Without any it allows everything. It is safe for concurrent use.
type Screening struct {
	screeners []ports.Screener
	core      *Kernel

	mu    sync.Mutex
	plays map[playKey]played
	// read are the files whose contents this process recorded, by name.
	read map[string]ports.ScreenerFile
}

type playKey struct {
	wallet wallet.Address
	remote netip.Addr
}

type played struct {
	refusal error
	at      time.Time
}

// NewScreening returns the screening by all of the screeners.
func NewScreening(core *Kernel, screeners []ports.Screener) *Screening {
	return &Screening{screeners: screeners, core: core, plays: map[playKey]played{}, read: map[string]ports.ScreenerFile{}}
}

// At reports whether any screener is asked at a point.
func (c *Screening) At(point admission.Point) bool {
	return slices.ContainsFunc(c.screeners, func(s ports.Screener) bool { return s.Screens(point) })
}

// Ask returns the decision on a subject. Screeners are told the agent of the wallet's player; the
// subject's own counts for a wallet without one. If two persons have overruled a decision about
// the same Key with the same findings, it is allowed. ErrUnscreened means that a screener can't
// tell now.
func (c *Screening) Ask(ctx context.Context, s admission.Subject) (admission.Decision, error) {
	switch known, err := c.core.Store.Players.Player(ctx, s.Wallet); {
	case err == nil:
		s.Agent = known.Agent
	case !fault.Is(err, fault.NotFound):
		return admission.Decision{}, err
	}
	parent := ctx
	ctx, cancel := context.WithTimeout(ctx, screenTime)
	defer cancel()
	var (
		wait     sync.WaitGroup
		asked    = slices.DeleteFunc(slices.Clone(c.screeners), func(by ports.Screener) bool { return !by.Screens(s.Point) })
		findings = make([]admission.Finding, len(asked))
		errs     = make([]error, len(asked))
	)
	for i, by := range asked {
		wait.Go(func() {
			defer func() {
				if broke := recover(); broke != nil {
					errs[i] = fmt.Errorf("the screener broke down: %v", broke)
				}
			}()
			findings[i], errs[i] = by.Screen(ctx, s)
		})
	}
	wait.Wait()
	for i, err := range errs {
		name := asked[i].Name()
		if err != nil && context.Cause(parent) != nil { // the caller has gone
			return admission.Decision{}, parent.Err()
		}
		if err != nil {
			c.core.Alarms.Raise(ctx, alarm.ScreenerFails, name, "point", string(s.Point), "reason", err.Error())
			return admission.Decision{}, ErrUnscreened
		}
		c.core.Alarms.Over(ctx, alarm.ScreenerFails, name)
		findings[i].Screener = name
	}
	d := admission.Decide(s, findings, c.core.Now())
	if d.Verdict == admission.Allow {
		return d, nil
	}
	overruled, err := c.core.Store.AuditLog.Records(ctx, ports.AuditFilter{Target: s.Key(), Action: audit.AdmissionOverruled}, ports.Page{Number: 1, Limit: 1})
	if err != nil {
		return admission.Decision{}, err
	}
	if len(overruled.Records) > 0 {
		r := overruled.Records[0]
		text, sealed, _ := strings.Cut(r.After, overrulingSeal)
		r.After = text
		if c.core.Seals.Verify(admission.OverrulingPurpose, admission.SealedOverruling(r), sealed) == nil { // else it isn't the service's
			d = d.Overruled(r.Before, r.By, r.After)
		}
	}
	c.core.Logger.InfoContext(ctx, "admission", "key", d.Key(), "decision", d.Text())
	return d, nil
}

// overrulingSeal precedes the seal at the end of an overruling's After.
const overrulingSeal = "; seal "

// SealOverruling adds the seal of an overruling to its record: without it, whoever can write the
// database could overrule screeners.
func (c *Screening) SealOverruling(r audit.Record) (audit.Record, error) {
	sealed, err := c.core.Seals.Seal(admission.OverrulingPurpose, admission.SealedOverruling(r))
	r.After += overrulingSeal + sealed
	return r, err
}

// MayPlay returns the refusal of the caller's bets and launches, as of at most playFresh ago. A
// caller without a remote address isn't asked about.
func (c *Screening) MayPlay(ctx context.Context, caller Caller) (refusal, err error) {
	if !caller.Remote.IsValid() || !c.At(admission.Play) {
		return nil, nil
	}
	key, now := playKey{caller.Wallet, caller.Remote}, c.core.Now()
	c.mu.Lock()
	known, found := c.plays[key]
	c.mu.Unlock()
	if age := now.Sub(known.at); found && age >= 0 && age < playFresh {
		return known.refusal, nil
	}
	d, err := c.Ask(ctx, AccessOf(admission.Play, caller.Wallet, "", caller.Remote))
	if err == nil && d.Verdict != admission.Allow {
		err = c.Record(ctx, d, caller.RequestID)
	}
	if errors.Is(err, ErrUnscreened) { // a repeated bet still gets its first answer
		return err, nil
	}
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.plays) >= playMax {
		clear(c.plays)
	}
	c.plays[key] = played{d.Refusal(), now}
	return d.Refusal(), nil
}

// Forget makes the next bet of each wallet ask again.
func (c *Screening) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.plays)
}

// AccessOf returns the subject of a wallet's request from a remote address.
func AccessOf(at admission.Point, w wallet.Address, agent string, remote netip.Addr) admission.Subject {
	return admission.Subject{Point: at, Wallet: w, Agent: agent, Remote: remote, Address: string(w), ID: string(w)}
}

// Recorded returns a decision that also records the admission in its commit.
func (c *Screening) Recorded(d admission.Decision, requestID string, decide func(player.View) (player.Change, error)) func(player.View) (player.Change, error) {
	if len(d.Findings) == 0 {
		return decide
	}
	record := d.Record(c.core.Entropy.ID(), requestID)
	return func(v player.View) (player.Change, error) {
		change, err := decide(v)
		if err == nil {
			change.Audit = append(slices.Clone(change.Audit), record)
		}
		return change, err
	}
}

// Record commits a decision that has no other commit, unless it repeats an earlier one.
func (c *Screening) Record(ctx context.Context, d admission.Decision, requestID string) error {
	last, err := c.core.Store.AuditLog.Records(ctx, ports.AuditFilter{Target: d.Key(), Action: audit.AdmissionDecided}, ports.Page{Number: 1, Limit: recordsCompared})
	if err != nil {
		return err
	}
	var earlier []string
	for _, r := range last.Records {
		earlier = append(earlier, r.After)
	}
	if d.Repeats(earlier) {
		return nil
	}
	_, err = c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: d.Wallet, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: c.core.Entropy.ID()}},
		At: d.At, Source: player.FromSession, WhileRestored: true,
		Decide: c.Recorded(d, requestID, func(player.View) (player.Change, error) { return player.Change{}, nil }),
	})
	return err
}

// ScreenerFilesInterval is the pause between two steps of RecordFiles.
const ScreenerFilesInterval = 2 * time.Second

// HasFiles reports whether any screener applies files.
func (c *Screening) HasFiles() bool { return len(c.files()) > 0 }

func (c *Screening) files() (all []ports.ScreenerFile) {
	for _, s := range c.screeners {
		if of, ok := s.(interface{ Files() []ports.ScreenerFile }); ok {
			all = append(all, of.Files()...)
		}
	}
	return all
}

// RecordFiles is the step of the worker that records the contents of screeners' files: at the
// start of the process and whenever one was replaced. One worker calls it.
func (c *Screening) RecordFiles(ctx context.Context) (worked bool, err error) {
	c.core.Progress.Began(ScreenerFilesWorker)
	for _, file := range c.files() {
		before, known := c.read[file.Name]
		if known && before == file {
			continue
		}
		record := audit.Record{ID: c.core.Entropy.ID(), Action: audit.AdmissionFileRead, Target: file.Name, After: describeFile(file), At: c.core.Now()}
		if known {
			record.Before = describeFile(before)
		}
		if _, err := c.core.Store.Writer.Commit(ctx, player.Item{
			Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: record.ID}}, At: record.At, Source: player.FromWorker,
			Decide: func(player.View) (player.Change, error) { return player.Change{Audit: []audit.Record{record}}, nil },
		}); err != nil {
			return false, err
		}
		c.read[file.Name] = file
		c.Forget() // bets are admitted by the new content at once
	}
	return false, nil
}

func describeFile(f ports.ScreenerFile) string {
	return fmt.Sprintf("sha256=%x %s", f.SHA256, f.Content)
}
