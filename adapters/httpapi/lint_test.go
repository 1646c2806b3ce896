package httpapi_test

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/casino-service/casino/adapters/httpapi"
)

// TestTheDocumentIsTidy checks the most common findings of `make lint-api` without Node.js:
// operations without a description, unused components, and required members without a
// schema.
func TestTheDocumentIsTidy(t *testing.T) {
	t.Parallel()
	doc := published(t).doc
	if doc.Info.Contact == nil || doc.Info.License == nil {
		t.Error("info has no contact or no license")
	}
	ids := map[string]string{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			name := method + " " + path
			if operation.Summary == "" || operation.Description == "" || len(operation.Tags) != 1 {
				t.Errorf("%s has no summary, no description, or not one tag", name)
			}
			if other := ids[operation.OperationID]; operation.OperationID == "" || other != "" {
				t.Errorf("%s has the operationId %q, as %q has", name, operation.OperationID, other)
			}
			ids[operation.OperationID] = name
		}
	}
	text := string(httpapi.OpenAPIYAML())
	used := func(kind, name string) {
		if !strings.Contains(text, `"#/components/`+kind+`/`+name+`"`) {
			t.Errorf("nothing uses the component %s/%s", kind, name)
		}
	}
	for name, schema := range doc.Components.Schemas {
		used("schemas", name)
		membersDescribed(t, name, schema)
	}
	for name := range doc.Components.Responses {
		used("responses", name)
	}
	for name := range doc.Components.Headers {
		used("headers", name)
	}
	for name := range doc.Components.Parameters {
		used("parameters", name)
	}
	for name := range doc.Components.RequestBodies {
		used("requestBodies", name)
	}
}

// membersDescribed finds required members without a schema in a schema itself, not in
// schemas it refers to.
func membersDescribed(t *testing.T, where string, schema *openapi3.SchemaRef) {
	t.Helper()
	if schema == nil || schema.Value == nil || schema.Ref != "" {
		return
	}
	if len(schema.Value.AllOf) == 0 { // parts of a whole may require what others describe
		for _, name := range schema.Value.Required {
			if schema.Value.Properties[name] == nil {
				t.Errorf("%s requires %s and doesn't describe it", where, name)
			}
		}
	}
	for name, member := range schema.Value.Properties {
		membersDescribed(t, where+"."+name, member)
	}
	membersDescribed(t, where+"[]", schema.Value.Items)
}
