package httpapi_test

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/ports"
)

// TestThePublishedTypesOfTransaction holds the contract's list against the one that
// lists and filters follow.
func TestThePublishedTypesOfTransaction(t *testing.T) {
	t.Parallel()
	var documented, made []string
	for _, value := range published(t).doc.Components.Schemas["TransactionType"].Value.Enum {
		text, _ := value.(string)
		documented = append(documented, text)
	}
	for _, kind := range ports.TransactionTypes() {
		made = append(made, string(kind))
	}
	if !slices.Equal(documented, made) {
		t.Errorf("openapi.yaml names %q, the service makes %q", documented, made)
	}
}
