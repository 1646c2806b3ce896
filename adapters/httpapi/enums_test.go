package httpapi_test

import (
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/ports"
)

// TestThePublishedListsAreWhole holds what the contract lists against what the
// service makes.
func TestThePublishedListsAreWhole(t *testing.T) {
	t.Parallel()
	schemas := published(t).doc.Components.Schemas
	for name, list := range map[string]struct {
		schema *openapi3.SchemaRef
		made   []string
	}{
		"types of transaction": {schemas["TransactionType"], textsOf(ports.TransactionTypes())},
		"kinds of approval":    {schemas["Approval"].Value.Properties["kind"], textsOf(approval.Kinds())},
	} {
		var documented []string
		for _, value := range list.schema.Value.Enum {
			text, _ := value.(string)
			documented = append(documented, text)
		}
		if !slices.Equal(documented, list.made) {
			t.Errorf("openapi.yaml lists the %s %q, the service makes %q", name, documented, list.made)
		}
	}
}

func textsOf[T ~string](all []T) []string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = string(one)
	}
	return texts
}
