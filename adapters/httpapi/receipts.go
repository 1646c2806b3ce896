package httpapi

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/domain/receipt"
)

// receiptRoutes returns the routes of receipts.
func (a *API) receiptRoutes() []route {
	return []route{
		{operation.HistoryProof, players, noWindow, a.historyProof},
	}
}

// historyProof returns a receipt of an earlier commit.
func (a *API) historyProof(r *request) (answer, error) {
	withLog := r.query.Choice("log", "true") != ""
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	made, err := a.casino.Receipts.Prove(r.ctx, r.caller.Wallet, r.params["id"])
	if err != nil {
		return answer{}, err
	}
	proof := api.ProofResponse{Receipt: *receiptOf(made)}
	if withLog {
		proof.Log, err = a.proveLogged(r, made.Header)
	}
	return ok(proof), err
}

// publicKeys lists the public keys of everything that the service signs.
func (a *API) publicKeys(r *request) (answer, error) {
	keys := []api.PublicKey{}
	if a.casino.Receipts != nil {
		keys = append(keys, publicKeysOf("receipts", a.casino.Receipts.Keys())...)
	}
	if a.casino.Audit != nil {
		keys = append(keys, publicKeysOf("checkpoints", a.casino.Audit.Keys())...)
	}
	if a.casino.Anchors != nil {
		address, key := a.casino.Anchors.Key()
		keys = append(keys, publicKeysOf("anchors", []checkpoint.Key{{ID: address, Public: key}})...)
	}
	shown := api.PublicKeysResponse{Keys: keys}
	if hasHeadLog(a.casino) {
		logKeys, err := a.casino.HeadLog.VerifierKeys(r.ctx)
		if err != nil {
			return answer{}, err
		}
		shown.Log = logKeys
	}
	return ok(shown), nil
}

func publicKeysOf(use string, keys []checkpoint.Key) (shown []api.PublicKey) {
	for i, k := range keys {
		shown = append(shown, api.PublicKey{Use: use, Kid: k.ID, PublicKey: base64.StdEncoding.EncodeToString(k.PKIX()), Signs: i == 0})
	}
	return shown
}

// preferReceipt is the preference (RFC 7240) that asks for a receipt.
const preferReceipt = "receipt"

// prefersReceipt reports whether the request asks for a receipt.
func prefersReceipt(header http.Header) bool {
	for _, line := range header.Values("Prefer") {
		for part := range strings.SplitSeq(line, ",") {
			name, _, _ := strings.Cut(part, ";")
			if strings.EqualFold(strings.TrimSpace(name), preferReceipt) {
				return true
			}
		}
	}
	return false
}

// issueReceipt returns a receipt of a commit if the request asks for one. If that fails, the
// response has none, because the commit stands; GET /history/{id}/proof returns it later.
func (a *API) issueReceipt(r *request, c kernel.Committed) *api.Receipt {
	if a.casino.Receipts == nil || c.ID == "" || !prefersReceipt(r.http.Header) {
		return nil
	}
	made, err := a.casino.Receipts.Issue(r.ctx, c)
	if err != nil {
		a.casino.Logger.WarnContext(r.ctx, "a receipt could not be issued", "id", c.ID, "error", err.Error())
		return nil
	}
	return receiptOf(made)
}

func receiptOf(r receipt.Receipt) *api.Receipt {
	shown := &api.Receipt{
		Text: r.Text, Kid: r.Key, Signature: base64.StdEncoding.EncodeToString(r.Signature), Index: int64(r.Index),
		Path: base64.StdEncoding.EncodeToString(joinHashes(r.Path)),
	}
	if round := r.Leaf.Round; round != nil {
		balance, micros := int64(round.Balance), round.At.UnixMicro()
		multiplier := strconv.FormatUint(round.Multiplier.Num, 10) + "/" + strconv.FormatUint(round.Multiplier.Den, 10)
		shown.Leaf = api.ReceiptLeaf{
			Kind: "round", AgentCode: &round.Agent, PairID: &round.PairID, Multiplier: &multiplier, Balance: &balance, Time: &micros,
		}
		return shown
	}
	e := r.Leaf.Event
	unshown := unshownFields[e.Kind]
	if (bet.SharedIn(*e) != bet.Shared{}) {
		unshown = unshownOfCrashBets
	}
	shown.Leaf = api.ReceiptLeaf{Kind: string(e.Kind), Was: &e.Was, Fields: mapEach(unshown, e.Value)}
	if e.Kind == event.Pair { // the others have their id in the answer
		shown.Leaf.ID = &e.ID
	}
	return shown
}

func joinHashes(path []merkle.Hash) (joined []byte) {
	for _, h := range path {
		joined = append(joined, h[:]...)
	}
	return joined
}

// unshownFields lists the fields of events that the answers don't show, in the order of
// docs/fairness/receipts.md. The others are left out, so that a receipt stays small.
var unshownFields = map[event.Kind][]string{
	event.OpenRound:  {"agent", "pair", "maxMultiplierNum", "maxMultiplierDen", "exposure", "openedAt", "touchedAt"},
	event.Withdrawal: {"status", "createdAt", "updatedAt"},
	event.Deposit:    {"status", "reason", "createdAt", "updatedAt"},
	event.Pair:       {"state", "next", "epoch", "revealed", "rounds", "since"},
}

// unshownOfCrashBets are the unshown fields of events of bets on the shared crash.
var unshownOfCrashBets = []string{
	"agent", "game", "rules", "stake", "config", "asked", "maxPayout", "clientSource", "nonce", "actions", "shown", "choices",
	"maxMultiplierNum", "maxMultiplierDen", "exposure", "openedAt", "touchedAt",
}
