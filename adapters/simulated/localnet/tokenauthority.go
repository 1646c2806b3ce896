package localnet

// approve takes (source, [mint], delegate, owner).
func approve(f *frame, amount uint64, decimals *byte) *programError {
	count := 3
	if decimals != nil {
		count = 4
	}
	given, err := f.take(count)
	if err != nil {
		return err
	}
	source, delegate, owner := given[0], given[count-2], given[count-1]
	h, err := openHolding(source)
	switch {
	case err != nil:
		return err
	case h.state == frozen:
		return failsWith(tokenAccountFrozen)
	}
	if decimals != nil {
		if err := checkMint(given[1], h.mint, *decimals); err != nil {
			return err
		}
	}
	if err := signedBy(h.owner, owner); err != nil {
		return err
	}
	h.delegate, h.delegated = optionalKey{present: true, key: delegate.key()}, amount
	return source.setData(h.encode())
}

// revoke takes (source, owner).
func revoke(f *frame, _ []byte) *programError {
	source, err := f.account(0)
	if err != nil {
		return err
	}
	h, err := openHolding(source)
	switch {
	case err != nil:
		return err
	case h.state == frozen:
		return failsWith(tokenAccountFrozen)
	}
	owner, err := f.account(1)
	if err != nil {
		return err
	}
	if err := signedBy(h.owner, owner); err != nil {
		return err
	}
	h.delegate.present, h.delegated = false, 0
	return source.setData(h.encode())
}

// Kinds of authority.
const (
	authorityMint   = 0
	authorityFreeze = 1
	authorityOwner  = 2
	authorityClose  = 3
)

// setAuthority takes (account or mint, present authority).
func setAuthority(f *frame, data []byte) *programError {
	next, ok := optionalArgument(data[1:])
	if !ok || data[0] > authorityClose {
		return failsWith(tokenInvalidInstruction)
	}
	given, err := f.take(2)
	if err != nil {
		return err
	}
	switch len(given[0].account.data) {
	case holdingSize:
		return setHoldingAuthority(given[0], given[1], data[0], next)
	case mintSize:
		return setMintAuthority(given[0], given[1], data[0], next)
	}
	return fails("InvalidArgument")
}

// setHoldingAuthority gives a token account to another owner, which removes its
// delegate, or changes who may close it.
func setHoldingAuthority(account, authority handle, kind byte, next optionalKey) *programError {
	h, err := openHolding(account)
	switch {
	case err != nil:
		return err
	case h.state == frozen:
		return failsWith(tokenAccountFrozen)
	}
	switch kind {
	case authorityOwner:
		if err := signedBy(h.owner, authority); err != nil {
			return err
		}
		if !next.present {
			return failsWith(tokenInvalidInstruction)
		}
		h.owner, h.delegate.present, h.delegated = next.key, false, 0
		if h.native {
			h.closer.present = false
		}
	case authorityClose:
		expected := h.owner
		if h.closer.present {
			expected = h.closer.key
		}
		if err := signedBy(expected, authority); err != nil {
			return err
		}
		h.closer.become(next)
	default:
		return failsWith(tokenAuthorityType)
	}
	return account.setData(h.encode())
}

// setMintAuthority changes who may mint or freeze; an authority that is removed can't be
// restored.
func setMintAuthority(account, authority handle, kind byte, next optionalKey) *programError {
	m, err := openMint(account)
	if err != nil {
		return err
	}
	switch kind {
	case authorityMint:
		if !m.authority.present {
			return failsWith(tokenFixedSupply)
		}
		if err := signedBy(m.authority.key, authority); err != nil {
			return err
		}
		m.authority.become(next)
	case authorityFreeze:
		if !m.freezer.present {
			return failsWith(tokenMintCannotFreeze)
		}
		if err := signedBy(m.freezer.key, authority); err != nil {
			return err
		}
		m.freezer.become(next)
	default:
		return failsWith(tokenAuthorityType)
	}
	return account.setData(m.encode())
}

// toggleFreeze takes (account, mint, freeze authority).
func toggleFreeze(f *frame, freeze bool) *programError {
	given, err := f.take(3)
	if err != nil {
		return err
	}
	account, minted, authority := given[0], given[1], given[2]
	h, err := openHolding(account)
	switch {
	case err != nil:
		return err
	case freeze == (h.state == frozen):
		return failsWith(tokenInvalidState)
	case h.native:
		return failsWith(tokenNativeNotSupported)
	case minted.key() != h.mint:
		return failsWith(tokenMintMismatch)
	}
	m, err := openMint(minted)
	switch {
	case err != nil:
		return err
	case !m.freezer.present:
		return failsWith(tokenMintCannotFreeze)
	}
	if err := signedBy(m.freezer.key, authority); err != nil {
		return err
	}
	h.state = initialized
	if freeze {
		h.state = frozen
	}
	return account.setData(h.encode())
}
