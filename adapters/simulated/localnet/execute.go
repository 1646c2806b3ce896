package localnet

import (
	"bytes"

	"github.com/gagliardetto/solana-go"
)

// bank is the state of the accounts after a slot.
type bank struct {
	chain *Chain
	slot  uint64
}

// getAccount returns an account; nil if there is none.
func (b bank) getAccount(key solana.PublicKey) *account {
	return b.chain.accounts.accountAt(key, b.slot)
}

// outcome is the effect of a transaction. If landed is false it could not pay and changed
// nothing. Otherwise it paid its fee, and changed more only if err is nil.
type outcome struct {
	landed bool
	err    *transactionError
	fee    uint64
	units  uint64
	logs   []string
	inner  []innerSet
	writes []write
}

// executeTransaction runs a transaction without storing anything. The caller checks the
// signatures, and sets duplicate if the chain has seen the message before.
func (b bank) executeTransaction(t *transaction, known, duplicate bool) outcome {
	refused := func(name string) outcome { return outcome{err: &transactionError{name: name}} }
	if t.message.HasDuplicates() {
		return refused(accountLoadedTwice)
	}
	if !known {
		return refused(blockhashNotFound)
	}
	if duplicate {
		return refused(alreadyProcessed)
	}
	asked, err := readBudget(t)
	if err != nil {
		return outcome{err: err}
	}
	x := b.loadAccounts(t, asked.limit)
	fee := asked.fee(len(t.signatures))
	if err := x.chargeFee(fee); err != nil {
		return outcome{err: err}
	}
	out := outcome{landed: true, fee: fee}
	charged := *x.working[0]
	out.err = x.runInstructions()
	out.units, out.logs, out.inner = x.units, x.logs, x.inner
	if out.err != nil {
		x.working = append([]*account{&charged}, x.before[1:]...)
	}
	out.writes = x.changedAccounts()
	return out
}

// loadAccounts prepares the accounts of a transaction.
func (b bank) loadAccounts(t *transaction, limit uint64) *execution {
	x := &execution{bank: b, transaction: t, limit: limit}
	for _, key := range t.keys {
		stored := b.getAccount(key)
		if stored == nil {
			stored = &account{}
		}
		working := *stored
		x.before = append(x.before, stored)
		x.working = append(x.working, &working)
	}
	return x
}

// execution is one transaction in progress.
type execution struct {
	bank        bank
	transaction *transaction
	before      []*account // as loaded
	working     []*account // as changed so far; data is replaced, never written into
	limit       uint64     // compute units
	units       uint64
	allocated   int // bytes of data made by this transaction
	frames      int // started instructions, including inner ones
	logs        []string
	inner       []innerSet
	outer       int // index of the current top-level instruction
}

// chargeFee takes the fee from the first account.
func (x *execution) chargeFee(fee uint64) *transactionError {
	payer := x.working[0]
	switch {
	case payer.lamports == 0:
		return &transactionError{name: accountNotFound}
	case payer.owner != solana.SystemProgramID || len(payer.data) > 0:
		return &transactionError{name: invalidAccountForFee}
	case payer.lamports < fee:
		return &transactionError{name: insufficientForFee}
	}
	payer.lamports -= fee
	if !x.rentKept(0) {
		return &transactionError{name: insufficientForRent}
	}
	return nil
}

// runInstructions executes all instructions, and then checks the rent of every account.
func (x *execution) runInstructions() *transactionError {
	for _, instruction := range x.transaction.message.Instructions {
		program := x.before[instruction.ProgramIDIndex]
		if program.lamports == 0 {
			return &transactionError{name: programAccountNotFound}
		}
		if !program.executable {
			return &transactionError{name: notExecutable}
		}
	}
	for i, instruction := range x.transaction.message.Instructions {
		x.outer = i
		f := &frame{execution: x, program: x.transaction.keys[instruction.ProgramIDIndex], data: instruction.Data, depth: 1}
		for _, index := range instruction.Accounts {
			f.metas = append(f.metas, meta{
				index: int(index), signer: x.transaction.isSigner(int(index)), writable: x.transaction.writable[index],
			})
		}
		if err := f.runInstruction(); err != nil {
			return &transactionError{name: instructionFailed, index: uint8(i), program: err}
		}
	}
	for i := range x.working {
		if x.transaction.writable[i] && !x.rentKept(i) {
			return &transactionError{name: insufficientForRent, index: uint8(i)}
		}
	}
	return nil
}

// rentKept reports whether an account's rent after the transaction is acceptable: one below
// its rent-exempt minimum must have been so before, with the same size, and must not have
// gained lamports.
func (x *execution) rentKept(i int) bool {
	before, after := x.before[i], x.working[i]
	minimum := func(a *account) uint64 { return x.bank.chain.rentExemptMinimum(len(a.data)) }
	if after.lamports == 0 || after.lamports >= minimum(after) {
		return true
	}
	paying := before.lamports > 0 && before.lamports < minimum(before)
	return paying && len(before.data) == len(after.data) && after.lamports <= before.lamports
}

// write is an account after a transaction. Data is omitted if it did not change, so that
// the journal does not repeat it.
type write struct {
	Key      solana.PublicKey `json:"key"`
	Lamports uint64           `json:"lamports"`
	Owner    solana.PublicKey `json:"owner"`
	Data     []byte           `json:"data,omitempty"`
	Same     bool             `json:"same,omitempty"`
}

// accountAfter returns the account after a write; nil if closed.
func (w write) accountAfter(before *account) *account {
	if w.Lamports == 0 {
		return nil
	}
	next := account{lamports: w.Lamports, owner: w.Owner, data: w.Data}
	if before != nil {
		next.executable = before.executable
		if w.Same {
			next.data = before.data
		}
	}
	return &next
}

// changedAccounts lists the accounts that changed.
func (x *execution) changedAccounts() (changed []write) {
	for i, after := range x.working {
		before := x.before[i]
		same := bytes.Equal(before.data, after.data)
		if same && before.lamports == after.lamports && before.owner == after.owner {
			continue
		}
		w := write{Key: x.transaction.keys[i], Lamports: after.lamports, Owner: after.owner, Same: same}
		if !same {
			w.Data = after.data
		}
		changed = append(changed, w)
	}
	return changed
}
