package remotesigner

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	chain "github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
)

// Payment is the payment in a message, as decoded by the signer.
type Payment struct {
	Token       money.Token  `json:"token"`
	Amount      money.Amount `json:"amount"`
	Destination string       `json:"destination"` // the wallet, not its token account
	Memo        string       `json:"memo"`        // the withdrawal's id and its wallet's tag
}

// withdrawalID returns the id in the memo.
func (p Payment) withdrawalID() string {
	id, _, _ := chain.ParseMemo(p.Memo)
	return id
}

// isSamePayment reports whether both are the same payment, apart from the tag in the memo.
func (p Payment) isSamePayment(other Payment) bool {
	return p.Token == other.Token && p.Amount == other.Amount && p.Destination == other.Destination
}

// Policy defines which payments may be signed.
type Policy struct {
	Treasury wallet.Address
	// Tokens are the tokens that may be paid, each up to its PayoutCap a payment and its
	// PayoutCapPerHour an hour.
	Tokens []token.Terms
	// PriorityFeeMax is the highest priority fee of a payment in lamports, above the base
	// fee.
	PriorityFeeMax money.Amount
	// Approvers are the persons of whom one must have signed each payment, and two above
	// the token's TwoPersonAbove or TwoPersonAbovePerDay. If empty, no approval is needed.
	Approvers []wallet.Address
	// ApprovalMaxAge is the maximum age of a person's signature, by its own timestamp.
	ApprovalMaxAge time.Duration
}

// reading is a message being decoded.
type reading struct {
	Policy
	treasury solana.PublicKey
	message  *solana.Message
	payment  Payment
	// unitLimit and unitPrice are the compute budget, each given at most once.
	unitLimit, unitPrice *uint64
	// opened is the token account, of owner and mint, that the message creates.
	opened, owner, mint solana.PublicKey
	paid                bool
}

// Read decodes a message and returns its payment. It returns an error if the message isn't
// exactly one payment out of the treasury.
func (p Policy) Read(message []byte) (Payment, error) {
	decoded, err := decodeMessage(message)
	if err != nil {
		return Payment{}, err
	}
	treasury, err := solana.PublicKeyFromBase58(string(p.Treasury))
	if err != nil {
		return Payment{}, fmt.Errorf("the policy's treasury: %w", err)
	}
	header := decoded.Header
	switch {
	case decoded.NumLookups() > 0 || len(decoded.AddressTableLookups) > 0:
		return Payment{}, errors.New("it uses address lookup tables")
	case header.NumRequiredSignatures != 1 || len(decoded.AccountKeys) == 0 || decoded.AccountKeys[0] != treasury:
		return Payment{}, errors.New("the treasury is not its only signer")
	}
	r := &reading{Policy: p, treasury: treasury, message: decoded}
	for i := range decoded.Instructions {
		if err := r.readInstruction(decoded.Instructions[i]); err != nil {
			return Payment{}, fmt.Errorf("instruction %d: %w", i, err)
		}
	}
	return r.payment, r.checkComplete()
}

// decodeMessage decodes a message as a validator does, and accepts only its canonical
// encoding.
func decodeMessage(message []byte) (*solana.Message, error) {
	raw := append(append([]byte{1}, make([]byte, 64)...), message...)
	decoded, err := solana.TransactionFromBytes(raw)
	if err != nil {
		return nil, errors.New("it is not a transaction's message")
	}
	if err := decoded.Sanitize(); err != nil {
		return nil, errors.New("it is not a valid transaction's message")
	}
	again, err := decoded.Message.MarshalBinary()
	if err != nil || !bytes.Equal(again, message) {
		return nil, errors.New("it isn't canonically encoded")
	}
	return &decoded.Message, nil
}

func (r *reading) readInstruction(i solana.CompiledInstruction) error {
	program, err := r.message.Program(i.ProgramIDIndex)
	if err != nil {
		return errors.New("its program is not in the message")
	}
	accounts := make([]solana.PublicKey, len(i.Accounts))
	for n, index := range i.Accounts {
		if int(index) >= len(r.message.AccountKeys) {
			return errors.New("its account is not in the message")
		}
		accounts[n] = r.message.AccountKeys[index]
	}
	switch program {
	case solana.ComputeBudget:
		return r.readBudget(i.Data)
	case solana.MemoProgramID:
		return r.readMemo(accounts, i.Data)
	case solana.SystemProgramID:
		return r.readTransfer(accounts, i.Data)
	case solana.SPLAssociatedTokenAccountProgramID:
		return r.readAccountOpening(accounts, i.Data)
	case solana.TokenProgramID, solana.Token2022ProgramID:
		return r.transferChecked(program, accounts, i.Data)
	}
	return fmt.Errorf("program %s is not allowed", program)
}

// The numbers of the instructions.
const (
	setUnitLimit, setUnitPrice = 2, 3
	systemTransfer             = 2
	createIdempotent           = 1
	tokenTransferChecked       = 12
)

func (r *reading) readBudget(data []byte) error {
	switch {
	case len(data) == 5 && data[0] == setUnitLimit && r.unitLimit == nil:
		limit := uint64(binary.LittleEndian.Uint32(data[1:]))
		r.unitLimit = &limit
	case len(data) == 9 && data[0] == setUnitPrice && r.unitPrice == nil:
		price := binary.LittleEndian.Uint64(data[1:])
		r.unitPrice = &price
	default:
		return errors.New("only one compute unit limit and one unit price are allowed")
	}
	return nil
}

func (r *reading) readMemo(accounts []solana.PublicKey, data []byte) error {
	if r.payment.Memo != "" || len(accounts) > 0 {
		return errors.New("a payment has one memo, without accounts")
	}
	if _, _, ok := chain.ParseMemo(string(data)); !ok {
		return errors.New("the memo is not a withdrawal's")
	}
	r.payment.Memo = string(data)
	return nil
}

func (r *reading) readTransfer(accounts []solana.PublicKey, data []byte) error {
	if len(data) != 12 || binary.LittleEndian.Uint32(data) != systemTransfer || len(accounts) != 2 {
		return errors.New("only the instruction Transfer of the system program is allowed")
	}
	if accounts[0] != r.treasury {
		return errors.New("it moves money that is not the treasury's")
	}
	return r.addPayment(money.SOL, accounts[1], binary.LittleEndian.Uint64(data[4:]))
}

func (r *reading) readAccountOpening(accounts []solana.PublicKey, data []byte) error {
	if len(data) != 1 || data[0] != createIdempotent || len(accounts) != 6 || !r.opened.IsZero() {
		return errors.New("only one token account may be created, with CreateIdempotent")
	}
	payer, account, owner, mint, program := accounts[0], accounts[1], accounts[2], accounts[3], accounts[5]
	derived, _, err := solana.FindAssociatedTokenAddressWithProgram(owner, mint, program)
	if err != nil || payer != r.treasury || account != derived || accounts[4] != solana.SystemProgramID {
		return errors.New("it creates an account other than the destination's own")
	}
	r.opened, r.owner, r.mint = account, owner, mint
	return nil
}

func (r *reading) transferChecked(program solana.PublicKey, accounts []solana.PublicKey, data []byte) error {
	if len(data) != 10 || data[0] != tokenTransferChecked || len(accounts) != 4 {
		return errors.New("only the instruction TransferChecked of the token programs is allowed")
	}
	from, mint, to, authority := accounts[0], accounts[1], accounts[2], accounts[3]
	terms, err := r.termsOf(money.Token(mint.String()))
	if err != nil {
		return err
	}
	own, _, err := solana.FindAssociatedTokenAddressWithProgram(r.treasury, mint, program)
	switch {
	case err != nil || from != own || authority != r.treasury:
		return errors.New("it moves money that is not the treasury's")
	case program != programs[terms.Program] || data[9] != terms.Decimals:
		return errors.New("program or decimals are not the token's")
	case r.opened.IsZero() || to != r.opened || mint != r.mint:
		return errors.New("it pays an account other than the one it creates")
	}
	return r.addPayment(terms.Mint, r.owner, binary.LittleEndian.Uint64(data[1:]))
}

var programs = map[token.Program]solana.PublicKey{
	token.SPL: solana.TokenProgramID, token.Token2022: solana.Token2022ProgramID,
}

func (r *reading) termsOf(mint money.Token) (token.Terms, error) {
	for _, terms := range r.Tokens {
		if terms.Mint == mint {
			return terms, nil
		}
	}
	return token.Terms{}, fmt.Errorf("token %s is not accepted", mint)
}

func (r *reading) addPayment(mint money.Token, to solana.PublicKey, amount uint64) error {
	terms, err := r.termsOf(mint)
	switch {
	case err != nil:
		return err
	case r.paid:
		return errors.New("a message has one payment")
	case amount == 0 || amount > math.MaxInt64 || money.Amount(amount) > terms.PayoutCap:
		return fmt.Errorf("%d is above the cap of %d a payment", amount, terms.PayoutCap)
	case to == r.treasury:
		return errors.New("the treasury pays itself")
	}
	if _, err := wallet.Parse(to.String()); err != nil {
		return errors.New("the destination is not a wallet")
	}
	r.paid = true
	r.payment.Token, r.payment.Amount, r.payment.Destination = mint, money.Amount(amount), to.String()
	return nil
}

// checkComplete makes the checks that need the complete message.
func (r *reading) checkComplete() error {
	switch {
	case !r.paid:
		return errors.New("it pays nothing")
	case r.payment.Memo == "":
		return errors.New("it has no memo")
	case !r.opened.IsZero() && r.payment.Token == money.SOL:
		return errors.New("it creates an account that it doesn't pay")
	case r.unitLimit == nil || r.unitPrice == nil:
		return errors.New("it states no compute budget")
	}
	// Compare in millionths of a lamport.
	high, low := bits.Mul64(*r.unitLimit, *r.unitPrice)
	highMax, lowMax := bits.Mul64(uint64(max(r.PriorityFeeMax, 0)), 1_000_000)
	if high > highMax || high == highMax && low > lowMax {
		return fmt.Errorf("it offers more than %d lamports for priority", r.PriorityFeeMax)
	}
	return nil
}
