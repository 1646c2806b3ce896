package solana

import (
	"context"
	"encoding/base64"
	"math"
	"math/bits"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/fault"
)

// unitsMax is the maximum compute-unit limit of a transaction.
const unitsMax = 1_400_000

// microLamports is the number of micro-lamports, the unit of unit prices, in a lamport.
const microLamports = 1_000_000

// simulatePayout runs the payout on the node without a signature and returns the unit limit
// it needs: a tenth more than it used.
func (n *Node) simulatePayout(ctx context.Context, p payout, recent blockhash) (uint32, error) {
	draft, err := buildTransaction(p.withBudget(unitsMax, 0), recent.hash, n.treasury)
	if err != nil {
		return 0, err
	}
	raw, err := draft.MarshalBinary()
	if err != nil {
		return 0, unusableError("encoding a payout: %v", err)
	}
	var answer contextual[*struct {
		Err   jsontext.Value `json:"err"`
		Units uint64         `json:"unitsConsumed"`
	}]
	if err := n.rpc.callMethod(ctx, &answer, "simulateTransaction", base64.StdEncoding.EncodeToString(raw), options{
		"encoding": "base64", "commitment": confirmed, "sigVerify": false, "replaceRecentBlockhash": true,
		"minContextSlot": recent.slot,
	}); err != nil {
		return 0, err
	}
	switch {
	case answer.Value == nil:
		return 0, unusableError("the simulation has no result")
	case hasError(answer.Value.Err):
		return 0, n.simulationFault(ctx, p, draft, answer.Value.Err)
	case answer.Value.Units == 0 || answer.Value.Units > unitsMax:
		return 0, unusableError("the simulation took %d units", answer.Value.Units)
	}
	return uint32(min(answer.Value.Units+(answer.Value.Units+9)/10, unitsMax)), nil
}

// simulationFault classifies a failed simulation. An error caused by the destination is
// permanent; any other one (an empty treasury above all) may pass.
func (n *Node) simulationFault(ctx context.Context, p payout, draft *solana.Transaction, raw jsontext.Value) error {
	const opening = 2 // the first index after the two budget instructions
	transfer := len(draft.Message.Instructions) - 1
	why, known := readError(raw)
	switch {
	case known && why.Rent != nil && draft.Message.AccountKeys[min(int(why.Rent.Index), len(draft.Message.AccountKeys)-1)] == p.destination:
		return fault.New(fault.AmountOutOfRange, "amount: is too small to keep the destination's account alive").With("field", "amount")
	case known && why.Instruction != nil && p.opens != nil && why.Instruction.Index == opening && why.Instruction.Name == "IllegalOwner":
		return unpayableError("no token account can be made for it")
	case known && why.Instruction != nil && p.opens != nil && int(why.Instruction.Index) == transfer && why.Instruction.Code != nil:
		meaning, destinations := refusedByDestination[*why.Instruction.Code]
		if !destinations {
			break
		}
		// The treasury's own account may be the frozen one.
		found, err := n.readAccount(ctx, p.from, confirmed, tokenAccountSize)
		if err != nil {
			return err
		}
		if held, ok := found.decodeHolding(p.program); ok && held.usable {
			return unpayableError(meaning)
		}
	}
	reason := describeFailure(raw, draft)
	return &chainError{
		text:   "solana: a payout fails in simulation: " + reason,
		public: fault.New(fault.External, "the chain refuses this payout at the moment: %s", reason),
	}
}

// refusedByDestination are the token programs' transfer errors that the destination's token
// account causes.
var refusedByDestination = map[uint32]string{
	codeAccountFrozen: "its token account is frozen, or would be once it is opened", codeNoMemo: "its token account requires another memo",
	codeNonConfidential: "its token account takes confidential transfers only",
}

// priceQuantile is the percentile of recent prices to offer: three quarters of the blocks
// needed less.
const priceQuantile = 75

// unitPrice returns the price to offer for a compute unit, in micro-lamports: a percentile
// of the prices of recent transactions that lock the same accounts, capped so that the
// payout offers at most the configured fee.
func (n *Node) unitPrice(ctx context.Context, unsigned *solana.Transaction, limit uint32) (uint64, error) {
	var locked []string
	for _, key := range unsigned.Message.AccountKeys {
		if writable, err := unsigned.IsWritable(key); err == nil && writable {
			locked = append(locked, key.String())
		}
	}
	var recent []struct {
		Price uint64 `json:"prioritizationFee"`
	}
	if err := n.rpc.callMethod(ctx, &recent, "getRecentPrioritizationFees", locked); err != nil {
		return 0, err
	}
	if len(recent) == 0 {
		return 0, nil
	}
	prices := make([]uint64, len(recent))
	for i, r := range recent {
		prices[i] = r.Price
	}
	slices.Sort(prices)
	return min(prices[(len(prices)-1)*priceQuantile/100], n.priceCap(limit)), nil
}

// priceCap returns the highest price that keeps the fee, limit times price, within the
// configured maximum.
func (n *Node) priceCap(limit uint32) uint64 {
	hi, lo := bits.Mul64(uint64(n.priorityFeeMax), microLamports)
	if limit == 0 || hi >= uint64(limit) {
		return math.MaxInt64
	}
	highest, _ := bits.Div64(hi, lo, uint64(limit))
	return min(highest, math.MaxInt64)
}
