package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// TestThePublishedListsAreWhole compares the contract's lists with the values that the
// service produces.
func TestThePublishedListsAreWhole(t *testing.T) {
	t.Parallel()
	schemas := published(t).doc.Components.Schemas
	for name, list := range map[string]struct {
		schema *openapi3.SchemaRef
		made   []string
	}{
		"types of transaction": {schemas["TransactionType"], textsOf(ports.TransactionTypes())},
		"kinds of approval":    {schemas["Approval"].Value.Properties["kind"], textsOf(approval.Kinds())},
		"kinds of alarm":       {schemas["AlarmKind"], kindsOfAlarm()},
		"roles":                {schemas["RoleName"], roleNames()},
		"permissions":          {schemas["Permission"], textsOf(rbac.Permissions())},
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

func kindsOfAlarm() (names []string) {
	for _, e := range alarm.Kinds() {
		names = append(names, string(e.Kind))
	}
	return names
}

func roleNames() (names []string) {
	for _, role := range rbac.DefaultPolicy().Roles() {
		names = append(names, role.Name)
	}
	return names
}

// TestFieldsOfGamesAreOpen: each game has its own fields, so a generated client must be
// able to send and read any. Generators take an object schema without additionalProperties
// as closed.
func TestFieldsOfGamesAreOpen(t *testing.T) {
	t.Parallel()
	schemas := published(t).doc.Components.Schemas
	open := map[string]*openapi3.SchemaRef{"Config": schemas["Config"], "Outcome": schemas["Outcome"]}
	for name, from := range map[string]string{"Game": "configSchema", "Game ": "defaults", "Round": "config"} {
		owner := strings.TrimSpace(name)
		open[owner+"."+from] = schemas[owner].Value.Properties[from]
	}
	for name, schema := range open {
		if schema == nil {
			t.Errorf("%s is not documented", name)
			continue
		}
		if more := schema.Value.AdditionalProperties.Has; more == nil || !*more {
			t.Errorf("%s takes no fields", name)
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
