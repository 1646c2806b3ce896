package telemetry_test

import (
	"testing"
)

func TestRefusedCallbacksAreCountedByReason(t *testing.T) {
	t.Parallel()
	made := open(t)
	counted, err := made.Callbacks()
	if err != nil {
		t.Fatal(err)
	}
	for _, reason := range []string{"malformed", "address", "malformed"} {
		counted.Refused(t.Context(), reason)
	}
	wants(t, metrics(t, made), `casino_provider_refused_total{reason="credentials"} 0`,
		`casino_provider_refused_total{reason="malformed"} 2`, `casino_provider_refused_total{reason="address"} 1`)
}
