package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/fault"
)

// contract is the published contract, against which requests and responses are checked.
type contract struct {
	doc    *openapi3.T
	router routers.Router
}

var loadContract = sync.OnceValues(func() (*contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(httpapi.OpenAPIYAML())
	if err != nil {
		return nil, err
	}
	for _, kind := range []string{"text/css", "text/javascript", "image/png"} {
		openapi3filter.RegisterBodyDecoder(kind, openapi3filter.FileBodyDecoder)
	}
	openapi3filter.RegisterBodyDecoder("text/html", openapi3filter.FileBodyDecoder)
	router, err := gorillamux.NewRouter(doc)
	return &contract{doc, router}, err
})

func published(t *testing.T) *contract {
	t.Helper()
	loaded, err := loadContract()
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// kept is a request with its body and its operation, nil if there is none.
type kept struct {
	input *openapi3filter.RequestValidationInput
	body  []byte
	what  string
}

// keep reads the request's body for the check after it was served.
func (c *contract) keep(t *testing.T, r *http.Request) kept {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	known := kept{body: body, what: r.Method + " " + r.URL.Path}
	found := r.Clone(r.Context())
	if found.Method == http.MethodHead {
		found.Method = http.MethodGet
	}
	found.URL.Scheme, found.URL.Host = "", ""
	route, params, err := c.router.FindRoute(found)
	if err != nil {
		return known
	}
	found.Body = io.NopCloser(bytes.NewReader(body))
	known.input = &openapi3filter.RequestValidationInput{
		Request: found, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	return known
}

func withoutNulls(body []byte) []byte {
	members := map[string]json.RawMessage{}
	if json.Unmarshal(body, &members) != nil {
		return body
	}
	kept := map[string]json.RawMessage{}
	for name, value := range members {
		if len(value) > 0 && string(value) != "null" {
			kept[name] = value
		}
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return body
	}
	return text
}

// check fails the test unless the contract documents the response and, if it was accepted,
// the request.
func (c *contract) check(t *testing.T, sent kept, result *http.Response, text []byte) {
	t.Helper()
	if sent.input == nil {
		c.checkUndocumented(t, sent.what, result, text)
		return
	}
	if result.StatusCode < http.StatusBadRequest {
		err := openapi3filter.ValidateRequest(t.Context(), sent.input)
		if err != nil { // a member that is null counts as absent
			text := withoutNulls(sent.body)
			sent.input.Request.Body, sent.input.Request.GetBody = io.NopCloser(bytes.NewReader(text)), nil
			sent.input.Request.ContentLength = int64(len(text))
			err = openapi3filter.ValidateRequest(t.Context(), sent.input)
		}
		if err != nil {
			t.Errorf("%s: the accepted request breaks the contract: %v\n%s", sent.what, err, sent.body)
		}
	}
	if result.Request != nil && result.Request.Method == http.MethodHead || len(text) == 0 && result.StatusCode == http.StatusOK {
		return
	}
	err := openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: sent.input, Status: result.StatusCode, Header: result.Header,
		Body:    io.NopCloser(bytes.NewReader(text)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	})
	if err != nil {
		t.Errorf("%s: the answer %d breaks the contract: %v\n%s", sent.what, result.StatusCode, err, text)
	}
}

// checkUndocumented checks responses of unknown paths and methods: they also have the API's
// error body.
func (c *contract) checkUndocumented(t *testing.T, what string, result *http.Response, text []byte) {
	t.Helper()
	if result.StatusCode == http.StatusNoContent && result.Header.Get("Vary") != "" { // a preflight
		return
	}
	if result.StatusCode != http.StatusNotFound && result.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("%s isn't documented and answers %d", what, result.StatusCode)
	}
	var body any
	if err := json.Unmarshal(text, &body); err != nil && !strings.HasPrefix(what, http.MethodHead) {
		t.Errorf("%s: %v: %s", what, err, text)
	}
	if err := c.doc.Components.Schemas["Error"].Value.VisitJSON(body); err != nil && body != nil {
		t.Errorf("%s: %v: %s", what, err, text)
	}
}

func TestTheContractIsSound(t *testing.T) {
	t.Parallel()
	doc := published(t).doc
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Fatal(err)
	}
}

// TestEveryRouteIsDocumented also compares query parameters, bodies' members and
// authentication of routes and document.
func TestEveryRouteIsDocumented(t *testing.T) {
	t.Parallel()
	doc := published(t).doc
	documented := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			documented[method+" "+path] = true
		}
	}
	for _, line := range httpapi.Routes() {
		name := line.Method + " " + line.Path
		if !documented[name] {
			t.Errorf("%s is routed and not documented", name)
			continue
		}
		delete(documented, name)
		operation := doc.Paths.Find(line.Path).GetOperation(line.Method)
		if operation.Security == nil {
			t.Errorf("%s: the document doesn't say whether it needs a bearer token", name)
		} else if secured := len(*operation.Security) > 0; secured != line.SignedIn {
			t.Errorf("%s: documented with a bearer token %v, routed %v", name, secured, line.SignedIn)
		}
		documentedHeaders(t, name, operation, line.Limited)
		if line.Permission != "" && !strings.Contains(operation.Description, "`"+line.Permission+"`") {
			t.Errorf("%s needs %s and doesn't say so", name, line.Permission)
		}
		var names []string
		for _, parameter := range operation.Parameters {
			if parameter.Value.In == openapi3.ParameterInQuery {
				names = append(names, parameter.Value.Name)
			}
		}
		if line.Method != http.MethodGet && !isCallback(line.Path) {
			names = append(names, bodyMembers(operation)...)
		}
		if !slices.Equal(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(line.Names))) {
			t.Errorf("%s: documented with %v, routed with %v", name, names, line.Names)
		}
	}
	for name := range documented {
		t.Errorf("%s is documented and not routed", name)
	}
}

// documentedHeaders checks that limited responses document their headers, and sheets their
// name.
func documentedHeaders(t *testing.T, name string, operation *openapi3.Operation, limited bool) {
	t.Helper()
	for status, response := range operation.Responses.Map() {
		if status >= "400" && status != "429" {
			continue
		}
		headers := response.Value.Headers
		for _, header := range []string{"RateLimit", "RateLimit-Policy"} {
			if has := headers[header] != nil; has != limited && status != "429" {
				t.Errorf("%s %s: documented with %s %v, limited %v", name, status, header, has, limited)
			}
		}
		if has := headers["Content-Disposition"] != nil; has != (response.Value.Content["text/csv"] != nil) {
			t.Errorf("%s %s: documented with Content-Disposition %v", name, status, has)
		}
	}
	// Requests with a session are also limited: by the number of concurrent ones of a
	// wallet.
	signedIn := operation.Security != nil && len(*operation.Security) > 0
	if (limited || signedIn) && operation.Responses.Value("429") == nil {
		t.Errorf("%s is limited and has no 429", name)
	}
}

// bodyMembers returns the members of the operation's body, including those of combined
// schemas.
func bodyMembers(operation *openapi3.Operation) (names []string) {
	if operation.RequestBody == nil {
		return nil
	}
	var collect func(*openapi3.SchemaRef)
	collect = func(schema *openapi3.SchemaRef) {
		for name := range schema.Value.Properties {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		for _, part := range slices.Concat(schema.Value.AllOf, schema.Value.OneOf, schema.Value.AnyOf) {
			collect(part)
		}
	}
	collect(operation.RequestBody.Value.Content.Get("application/json").Schema)
	return names
}

func TestEveryKindHasItsStatusAndCode(t *testing.T) {
	t.Parallel()
	codes := map[string]fault.Kind{}
	for _, kind := range fault.Kinds() {
		status, code, title := httpapi.StatusAndCode(kind)
		if http.StatusText(status) == "" || status < http.StatusBadRequest || code == "" || title == "" {
			t.Errorf("kind %d has the row %d %q %q", kind, status, code, title)
		}
		if other, taken := codes[code]; taken {
			t.Errorf("kinds %d and %d share %s", kind, other, code)
		}
		codes[code] = kind
	}
	var listed []string
	for _, code := range published(t).doc.Components.Schemas["Error"].Value.Properties["code"].Value.Enum {
		listed = append(listed, fmt.Sprint(code))
		_, known := codes[fmt.Sprint(code)]
		if _, atEdge := httpapi.EdgeCodes()[fmt.Sprint(code)]; known == atEdge {
			t.Errorf("%v is documented: a kind has it %v, only HTTP has it %v", code, known, atEdge)
		}
	}
	if len(listed) != len(codes)+len(httpapi.EdgeCodes()) {
		t.Errorf("%d codes are documented, %d kinds exist and %d codes of HTTP alone", len(listed), len(codes), len(httpapi.EdgeCodes()))
	}
}

// TestDocumentedFailuresHaveTheStatusOfTheirCodes reads the codes that each
// operation lists under each status.
func TestDocumentedFailuresHaveTheStatusOfTheirCodes(t *testing.T) {
	t.Parallel()
	statusOf := map[string]string{}
	for _, kind := range fault.Kinds() {
		status, code, _ := httpapi.StatusAndCode(kind)
		statusOf[code] = fmt.Sprint(status)
	}
	for code, status := range httpapi.EdgeCodes() {
		statusOf[code] = fmt.Sprint(status)
	}
	checked := 0
	for path, item := range published(t).doc.Paths.Map() {
		for method, operation := range item.Operations() {
			for status, response := range operation.Responses.Map() {
				media := response.Value.Content.Get("application/json")
				if status < "400" || media == nil || len(media.Schema.Value.AllOf) != 2 {
					continue
				}
				for _, code := range media.Schema.Value.AllOf[1].Value.Properties["code"].Value.Enum {
					checked++
					if statusOf[fmt.Sprint(code)] != status {
						t.Errorf("%s %s lists %v under %s", method, path, code, status)
					}
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("only %d codes were found", checked)
	}
}
