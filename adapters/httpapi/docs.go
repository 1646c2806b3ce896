package httpapi

import (
	_ "embed"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/oasdiff/yaml"
	"github.com/swaggest/swgui/v5/static"
	"github.com/swaggest/swgui/v5emb"

	"github.com/casino-service/casino/domain/fault"
)

//go:embed openapi.yaml
var openapiYAML []byte

// openapiJSON is the published contract as JSON, with the base path in force as
// its server.
func openapiJSON(base string) ([]byte, error) {
	text, err := yaml.YAMLToJSON(openapiYAML)
	if err != nil {
		return nil, fmt.Errorf("httpapi: openapi.yaml: %w", err)
	}
	var document map[string]jsontext.Value
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("httpapi: openapi.yaml: %w", err)
	}
	if document["servers"], err = json.Marshal([]map[string]string{{"url": base, "description": "this service"}}); err != nil {
		return nil, err
	}
	return json.Marshal(document, json.Deterministic(true))
}

func (a *API) openapiDocument(*request) (answer, error) {
	return answer{status: http.StatusOK, raw: a.openapi}, nil
}

// docsPolicy lets the page run its own scripts and ask this service, nothing else.
const docsPolicy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func docsHandler(base string) http.Handler {
	page := v5emb.New("Casino", base+"/openapi.json", base+"/docs/")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", docsPolicy)
		page.ServeHTTP(w, r)
	})
}

func (a *API) docsPage(*request) (answer, error) { return answer{page: a.docs}, nil }

// docsAsset serves the page's own files. Others are refused here, because the
// file server would answer them without the one error body.
func (a *API) docsAsset(r *request) (answer, error) {
	name := r.params["asset"]
	for _, stored := range []string{name, name + ".gz"} {
		if info, err := fs.Stat(static.FS, stored); err == nil && info.Mode().IsRegular() {
			return answer{page: a.docs}, nil
		}
	}
	return answer{}, fault.New(fault.NotFound, "this path does not exist")
}
