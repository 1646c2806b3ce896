package conformance

import (
	"testing"
)

// Writer is the suite of ports.Writer.
func Writer(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, writerChangeCases, writerCases, writerRefuseCases, writerLawCases, writerReplayCases, writerWithdrawalCases, writerSeedsCases, writerHistoryCases, writerQueueCases, writerFreshCases)
}

var writerCases = []story{
	{"adjustments credit and debit", Logic, adjustments},
}
