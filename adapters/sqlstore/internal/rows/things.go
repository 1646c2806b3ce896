package rows

// things are what batches read and write, in the order in which they do both. A new
// one that wallets own is a line here.
//
// Whatever items lock beside wallets, agents' accounts, providers' hours and claims is locked in this
// order. Pairs come before rounds, because a round is only taken when its pair counts
// it; what all writers would update comes last, so that nobody waits for a wallet
// while holding a lane.
func things() []thing {
	provided := &hours{}
	return []thing{
		&controlled{},
		&players{}, &sessions{}, &pairs{}, &openRounds{}, rounds{}, endedRounds{}, &balances{}, &transactions{}, &attempts{},
		roles{}, &approvalRequests{}, &votes{}, &launches{}, &roundMatches{}, providerTransactions{}, &deliveries{}, &funds{}, provided,
		&transfers{}, records{}, events{},
		// The rows of the lane.
		&totals{}, &exposures{}, &figures{}, &newcomers{}, laneBets{of: provided},
	}
}
