// Package examples_test tests the example programs below this folder: each as a process, with the
// service's real messages.
package examples_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/webhook"
)

// receiver is a running program that receives webhooks.
type receiver struct {
	command []string
	secret  agent.Secret
	file    string
	url     string
	process *exec.Cmd
}

// receivers returns the commands of the examples, by name.
func receivers(t *testing.T) map[string][]string {
	t.Helper()
	compiled := filepath.Join(t.TempDir(), "receiver")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", compiled, "./webhook-go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all := map[string][]string{"Go": {compiled}, "TypeScript": nil}
	if node, err := exec.LookPath("node"); err == nil {
		all["TypeScript"] = []string{node, "webhook-ts/dist/receiver.js"}
	} else if os.Getenv("CASINO_TEST_NODE") == "1" {
		t.Fatal(err)
	}
	return all
}

// start runs the receiver and waits until it listens.
func (r *receiver) start(t *testing.T) {
	t.Helper()
	if r.command == nil {
		t.Skip("Node.js is missing (make test installs it)") // allowed: make check needs Go alone
	}
	r.process = exec.CommandContext(context.Background(), r.command[0], append(r.command[1:], "127.0.0.1:0", r.file)...)
	r.process.Env = append(os.Environ(), "WEBHOOK_SECRET="+r.secret.Reveal())
	var faults bytes.Buffer
	r.process.Stderr = &faults
	printed, err := r.process.StdoutPipe()
	if err == nil {
		err = r.process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	process := r.process
	t.Cleanup(func() { _ = process.Process.Kill() }) // it has ended already if the test killed it
	line, err := bufio.NewReader(printed).ReadString('\n')
	url, listens := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !listens {
		t.Fatalf("%q, %v\n%s", line, err, faults.String())
	}
	r.url = url
}

func (r *receiver) kill(t *testing.T) {
	t.Helper()
	if err := r.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = r.process.Wait() // its error says that it was killed
}

// sent is one request as a test changes it.
type sent struct {
	method, id, timestamp, signatures, body string
}

// send sends and returns the status.
func (r *receiver) send(t *testing.T, s sent) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), s.method, r.url, strings.NewReader(s.body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/cloudevents+json")
	for name, value := range map[string]string{webhook.HeaderID: s.id, webhook.HeaderTimestamp: s.timestamp, webhook.HeaderSignature: s.signatures} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Error(err)
	}
	return response.StatusCode
}

// signed returns an event signed with secrets at a time.
func signed(t *testing.T, secrets webhook.Secrets, id, body string, at time.Time) sent {
	t.Helper()
	signatures, err := secrets.Sign(id, at, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return sent{method: http.MethodPost, id: id, timestamp: webhook.Timestamp(at), signatures: signatures, body: body}
}

// event returns an event with an amount beyond what a double can hold.
func event(id string) string {
	return fmt.Sprintf(`{"specversion":"1.0","id":%q,"type":"casino.balance.changed","data":{"balance":9007199254740993}}`, id)
}

// kept returns the file's lines.
func (r *receiver) kept(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(r.file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// TestReceiversVerify checks that signed events are kept once, and that everything else is
// refused.
func TestReceiversVerify(t *testing.T) {
	t.Parallel()
	for name, command := range receivers(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, second, third := webhook.NewSecret([32]byte{1}), webhook.NewSecret([32]byte{2}), webhook.NewSecret([32]byte{3})
			now := time.Now()
			secrets := webhook.Secrets{Current: first}
			r := &receiver{command: command, secret: first, file: filepath.Join(t.TempDir(), "events.jsonl")}
			r.start(t)
			is := func(what string, want int, s sent) {
				t.Helper()
				if got := r.send(t, s); got != want {
					t.Errorf("%s: %d, want %d", what, got, want)
				}
			}
			one := signed(t, secrets, "0.1.1.0", event("0.1.1.0"), now)
			for what, change := range map[string]func(*sent){
				"a forged body":              func(s *sent) { s.body = strings.Replace(s.body, "9007", "9107", 1) },
				"another id":                 func(s *sent) { s.id = "0.1.1.1" },
				"another moment":             func(s *sent) { s.timestamp = webhook.Timestamp(now.Add(time.Second)) },
				"no signature":               func(s *sent) { s.signatures = "" },
				"half a signature":           func(s *sent) { s.signatures = s.signatures[:20] },
				"a signature with more":      func(s *sent) { s.signatures += "x" },
				"no id":                      func(s *sent) { s.id = "" },
				"no moment":                  func(s *sent) { s.timestamp = "" },
				"no headers and no body":     func(s *sent) { *s = sent{method: http.MethodPost} },
				"a question":                 func(s *sent) { *s = sent{method: http.MethodGet} },
				"too much":                   func(s *sent) { s.body = strings.Repeat(" ", 1<<20+1) },
				"replayed after six minutes": func(s *sent) { *s = signed(t, secrets, s.id, s.body, now.Add(-6*time.Minute)) },
				"of a clock six minutes on":  func(s *sent) { *s = signed(t, secrets, s.id, s.body, now.Add(6*time.Minute)) },
				"of another endpoint":        func(s *sent) { *s = signed(t, webhook.Secrets{Current: third}, s.id, s.body, now) },
				"signed and another event's": func(s *sent) { *s = signed(t, secrets, "0.1.1.2", s.body, now) },
				"signed and no JSON":         func(s *sent) { *s = signed(t, secrets, s.id, "{", now) },
			} {
				s := one
				change(&s)
				is(what, http.StatusUnauthorized, s)
			}
			is("as it was signed", http.StatusNoContent, one)
			is("replayed within the tolerance", http.StatusNoContent, one)
			is("sent again later", http.StatusNoContent, signed(t, secrets, one.id, one.body, now.Add(time.Second)))

			// It is killed with a partial line written, and its secret changes during the test.
			r.kill(t)
			torn, err := os.OpenFile(r.file, os.O_APPEND|os.O_WRONLY, 0o600)
			if err == nil {
				_, err = torn.WriteString(event("0.1.2.0")[:30])
			}
			if err != nil || torn.Close() != nil {
				t.Fatal(err)
			}
			secrets = secrets.Rotated(second, now)
			r.start(t)
			two := signed(t, secrets, "0.1.2.0", event("0.1.2.0"), now)
			is("what it had before the kill", http.StatusNoContent, one)
			is("signed by both secrets, before the receiver's is changed", http.StatusNoContent, two)
			r.kill(t)
			r.secret = second
			r.start(t)
			three := signed(t, secrets, "0.1.3.0", strings.Replace(event("0.1.3.0"), ",", ",\n", 1), now)
			is("signed by both secrets, afterwards", http.StatusNoContent, three)
			is("signed by the former one alone", http.StatusUnauthorized, signed(t, webhook.Secrets{Current: first}, "0.1.4.0", event("0.1.4.0"), now))

			want := []string{one.body, two.body, strings.ReplaceAll(three.body, "\n", " ")}
			if got := r.kept(t); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("kept\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}
