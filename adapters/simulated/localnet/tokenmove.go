package localnet

import (
	"github.com/gagliardetto/solana-go"
)

// transferTokens takes (source, [mint], destination, authority); with decimals it
// is TransferChecked.
func transferTokens(f *frame, amount uint64, decimals *byte) *programError {
	count := 3
	if decimals != nil {
		count = 4
	}
	given, err := f.take(count)
	if err != nil {
		return err
	}
	source, destination, authority := given[0], given[count-2], given[count-1]
	from, err := openHolding(source)
	if err != nil {
		return err
	}
	to, err := openHolding(destination)
	switch {
	case err != nil:
		return err
	case from.state == frozen || to.state == frozen:
		return failsWith(tokenAccountFrozen)
	case from.amount < amount:
		f.say("Error: insufficient funds")
		return failsWith(tokenInsufficientFunds)
	case from.mint != to.mint:
		return failsWith(tokenMintMismatch)
	}
	if decimals != nil {
		if err := checkMint(given[1], from.mint, *decimals); err != nil {
			return err
		}
	}
	toSelf := source.key() == destination.key()
	if err := from.draw(authority, amount, !toSelf); err != nil {
		return err
	}
	if toSelf || amount == 0 {
		if err := owned(source); err != nil {
			return err
		}
		if err := owned(destination); err != nil {
			return err
		}
	}
	if toSelf {
		return nil
	}
	return settleTransfer(source, destination, from, to, amount)
}

// settleTransfer writes a transfer's two sides, and moves the lamports of wrapped SOL.
func settleTransfer(source, destination handle, from, to holding, amount uint64) (err *programError) {
	from.amount -= amount
	if to.amount, err = sum(to.amount, amount); err != nil {
		return err
	}
	if from.native {
		if source.lamports < amount {
			return failsWith(tokenOverflow)
		}
		if err := move(source, destination, amount); err != nil {
			return err
		}
	}
	if err := source.setData(from.encode()); err != nil {
		return err
	}
	return destination.setData(to.encode())
}

// draw requires that the authority may take the amount: the delegate within what was
// approved, which spend then lowers, or else the owner.
func (h *holding) draw(authority handle, amount uint64, spend bool) *programError {
	if !h.delegate.is(authority.key()) {
		return signedBy(h.owner, authority)
	}
	if err := signedBy(h.delegate.key, authority); err != nil {
		return err
	}
	if h.delegated < amount {
		return failsWith(tokenInsufficientFunds)
	}
	if spend {
		if h.delegated -= amount; h.delegated == 0 {
			h.delegate.present = false
		}
	}
	return nil
}

// mintTo takes (mint, destination, authority).
func mintTo(f *frame, amount uint64, decimals *byte) *programError {
	given, err := f.take(3)
	if err != nil {
		return err
	}
	minted, destination, authority := given[0], given[1], given[2]
	to, err := openHolding(destination)
	switch {
	case err != nil:
		return err
	case to.state == frozen:
		return failsWith(tokenAccountFrozen)
	case to.native:
		return failsWith(tokenNativeNotSupported)
	case minted.key() != to.mint:
		return failsWith(tokenMintMismatch)
	}
	m, err := openMint(minted)
	switch {
	case err != nil:
		return err
	case decimals != nil && *decimals != m.decimals:
		return failsWith(tokenDecimalsMismatch)
	case !m.authority.present:
		return failsWith(tokenFixedSupply)
	}
	if err := signedBy(m.authority.key, authority); err != nil {
		return err
	}
	if to.amount, err = sum(to.amount, amount); err != nil {
		return err
	}
	if m.supply, err = sum(m.supply, amount); err != nil {
		return err
	}
	return writeBoth(destination, to, minted, m)
}

// burn takes (account, mint, authority).
func burn(f *frame, amount uint64, decimals *byte) *programError {
	given, err := f.take(3)
	if err != nil {
		return err
	}
	source, minted, authority := given[0], given[1], given[2]
	from, err := openHolding(source)
	if err != nil {
		return err
	}
	m, err := openMint(minted)
	switch {
	case err != nil:
		return err
	case from.state == frozen:
		return failsWith(tokenAccountFrozen)
	case from.native:
		return failsWith(tokenNativeNotSupported)
	case from.amount < amount:
		return failsWith(tokenInsufficientFunds)
	case minted.key() != from.mint:
		return failsWith(tokenMintMismatch)
	case decimals != nil && *decimals != m.decimals:
		return failsWith(tokenDecimalsMismatch)
	}
	if !ownerless(from.owner) {
		if err := from.draw(authority, amount, true); err != nil {
			return err
		}
	}
	from.amount -= amount
	m.supply -= amount
	return writeBoth(source, from, minted, m)
}

// incinerator is the address that burns what it receives.
var incinerator = solana.MustPublicKeyFromBase58("1nc1nerator11111111111111111111111111111111")

// ownerless reports whether an owner can never sign, so that anyone may clean up.
func ownerless(owner solana.PublicKey) bool {
	return owner == solana.SystemProgramID || owner == incinerator
}

// writeBoth stores a token account and its mint. Both must be the program's own,
// whether or not their bytes change.
func writeBoth(account handle, h holding, minted handle, m mint) *programError {
	if err := owned(account); err != nil {
		return err
	}
	if err := owned(minted); err != nil {
		return err
	}
	if err := account.setData(h.encode()); err != nil {
		return err
	}
	return minted.setData(m.encode())
}

// syncNative takes (account) and turns lamports sent to it into tokens.
func syncNative(f *frame, _ []byte) *programError {
	account, err := f.account(0)
	if err != nil {
		return err
	}
	if err := owned(account); err != nil {
		return err
	}
	h, err := openHolding(account)
	switch {
	case err != nil:
		return err
	case !h.native:
		return failsWith(tokenNonNative)
	case account.lamports < h.reserve:
		return failsWith(tokenOverflow)
	case account.lamports-h.reserve < h.amount:
		return failsWith(tokenInvalidState)
	}
	h.amount = account.lamports - h.reserve
	return account.setData(h.encode())
}

// closeHolding takes (account, destination, authority).
func closeHolding(f *frame, _ []byte) *programError {
	given, err := f.take(3)
	if err != nil {
		return err
	}
	account, destination, authority := given[0], given[1], given[2]
	if account.key() == destination.key() {
		return fails("InvalidAccountData")
	}
	h, err := openHolding(account)
	switch {
	case err != nil:
		return err
	case !h.native && h.amount != 0:
		return failsWith(tokenNonNativeHasTokens)
	}
	switch {
	case !ownerless(h.owner):
		expected := h.owner
		if h.closer.present {
			expected = h.closer.key
		}
		if err := signedBy(expected, authority); err != nil {
			return err
		}
	case destination.key() != incinerator:
		return fails("InvalidAccountData")
	}
	if err := move(account, destination, account.lamports); err != nil {
		return err
	}
	if err := account.setData(nil); err != nil {
		return err
	}
	return account.setOwner(solana.SystemProgramID)
}
