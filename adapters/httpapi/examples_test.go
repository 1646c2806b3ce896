package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/casino-service/casino/ports"
)

// publishedExample returns the media type and example of a body or an answer.
func publishedExample(content openapi3.Content) (of *openapi3.MediaType, example any) {
	for _, kind := range []string{"application/json", "*/*"} {
		if of := content.Get(kind); of != nil && content[kind] != nil {
			for _, named := range of.Examples {
				return of, named.Value.Value
			}
			return of, of.Example
		}
	}
	return nil, nil
}

// TestEveryBodyAndAnswerHasAnExample: each operation has an example of its body and of its
// successful answer, and each error has one. TestTheContractIsSound checks examples against
// their schemas, TestAnswersAreAsRecorded against real requests and answers.
func TestEveryBodyAndAnswerHasAnExample(t *testing.T) {
	t.Parallel()
	doc, found := published(t).doc, 0
	has := func(what string, content openapi3.Content) {
		t.Helper()
		if of, example := publishedExample(content); of != nil && example == nil {
			t.Errorf("%s has no example", what)
		} else if of != nil {
			found++
		}
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			name := method + " " + path
			if body := operation.RequestBody; body != nil && body.Ref == "" { // the shared one has no members
				has("the body of "+name, body.Value.Content)
			}
			for status, answer := range operation.Responses.Map() {
				if status < "300" && path != "/docs/{asset}" && path != "/public/log/{epoch}/tile/{level}/{index}" { // files
					has(name+" "+status, answer.Value.Content)
				}
			}
		}
	}
	for name, refusal := range doc.Components.Responses {
		has("the answer "+name, refusal.Value.Content)
	}
	if found < 150 {
		t.Errorf("only %d examples were found", found)
	}
}

// sawMembers records the members of an accepted body, and of its answer.
func (r *recording) sawMembers(q question, route string, answer reply) {
	r.Helper()
	if answer.status >= http.StatusMultipleChoices {
		return
	}
	name := q.method + " " + route
	if q.body != nil {
		sent, err := json.Marshal(q.body)
		r.must(err)
		r.noteMembers("the body of "+name, sent)
	}
	if strings.HasPrefix(answer.header.Get("Content-Type"), "application/json") {
		r.noteMembers(fmt.Sprintf("%s %d", name, answer.status), answer.text)
	}
}

func (r *recording) noteMembers(what string, text []byte) {
	r.Helper()
	if len(text) == 0 {
		return
	}
	if r.members[what] == nil {
		r.members[what] = map[string]bool{}
	}
	maps.Copy(r.members[what], membersOf(r.T, text))
}

// membersOf returns the paths of a JSON value's members.
func membersOf(t *testing.T, text []byte) map[string]bool {
	t.Helper()
	var value any
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	members := map[string]bool{}
	var visit func(at string, value any)
	visit = func(at string, value any) {
		switch value := value.(type) {
		case object:
			for name, member := range value {
				members[at+"."+name] = true
				visit(at+"."+name, member)
			}
		case []any:
			for _, element := range value {
				visit(at, element)
			}
		}
	}
	visit("", value)
	return members
}

// exampleAnswers records the answers to published examples, sent unchanged.
func (r *recording) exampleAnswers() {
	r.Helper()
	r.funded("fay", sol, 1_000_000)
	body := func(path string) any {
		_, example := publishedExample(r.spec.doc.Paths.Value(path).Post.RequestBody.Value.Content)
		return example
	}
	played := r.posts("fay", "/play", body("/play"), http.StatusOK)
	r.posts("fay", "/rounds", body("/rounds"), http.StatusCreated)
	r.posts("", "/public/verify", body("/public/verify"), http.StatusOK)
	const rtp = "/public/games/{gameType}/return"
	r.does("", http.MethodPost, rtp, "mines", body(rtp), http.StatusOK)
	r.does("", http.MethodPost, rtp, "coinflip", object{"config": object{"side": "tails", "flips": 2}}, http.StatusOK)
	r.gets("fay", "/balance")
	r.gets("fay", "/account/session")
	r.must(r.store.Initialize(r.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}))
	r.does("fay", http.MethodGet, "/history/{id}/proof", played.text_("round", "id"), nil, http.StatusOK)
	r.gets("", "/public/keys")
	r.note("/public/log/{epoch}/checkpoint", question{method: http.MethodGet, path: "/public/log/1/checkpoint"}).is(http.StatusNotFound, "NOT_FOUND")
	r.note("/public/log/{epoch}/tile/{level}/{index}", question{method: http.MethodGet, path: "/public/log/1/tile/0/000"}).is(http.StatusNotFound, "NOT_FOUND")
}

// shownElsewhere lists answers that need more than the recorded service has: signing keys,
// covered by TestCheckpointsVerifyByHand, and a compared treasury.
var shownElsewhere = map[string]bool{"GET /public/checkpoints 200": true, "GET /public/solvency 200": true, "GET /account/solvency 200": true, "GET /health 200": true, "GET /health 503": true}

// areLikeExamples fails the test for members of published examples that no request or
// answer had.
func (r *recording) areLikeExamples() {
	r.Helper()
	like := func(what string, content openapi3.Content) {
		r.Helper()
		_, example := publishedExample(content)
		if example == nil || r.members[what] == nil || shownElsewhere[what] {
			return
		}
		written, err := json.Marshal(example)
		r.must(err)
		for member := range membersOf(r.T, written) {
			if !r.members[what][member] {
				r.Errorf("the example of %s has %s, which is never there", what, member)
			}
		}
	}
	for path, item := range r.spec.doc.Paths.Map() {
		for method, operation := range item.Operations() {
			name := method + " " + path
			if operation.RequestBody != nil {
				like("the body of "+name, operation.RequestBody.Value.Content)
			}
			for status, answer := range operation.Responses.Map() {
				like(name+" "+status, answer.Value.Content)
			}
		}
	}
}
