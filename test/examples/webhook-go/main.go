// Command webhook-go receives a casino's webhooks: it accepts requests with the endpoint's
// signature, and writes each event once, as a line of JSON, before it answers. It is an example
// to copy and uses only the standard library.
//
//	WEBHOOK_SECRET=whsec_… go run . 127.0.0.1:9000 events.jsonl
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type receiver struct {
	key  []byte
	mu   sync.Mutex
	file *os.File
	seen map[string]bool // the ids of the file's events
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) < 24 || len(os.Args) != 3 {
		log.Fatal("WEBHOOK_SECRET is the webhook's secret, the arguments are an address and a file")
	}
	r := &receiver{key: key, seen: map[string]bool{}}
	listener, err := net.Listen("tcp", os.Args[1])
	if err := errors.Join(err, r.open(os.Args[2])); err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on http://" + listener.Addr().String())
	log.Fatal((&http.Server{Handler: r, ReadTimeout: 10 * time.Second}).Serve(listener))
}

// open reads which events the file has, and removes a partial line left by a crash.
func (r *receiver) open(name string) (err error) {
	if r.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
		return err
	}
	kept, err := io.ReadAll(r.file)
	whole := bytes.LastIndexByte(kept, '\n') + 1
	for line := range bytes.Lines(kept[:whole]) {
		var event struct{ ID string }
		err = errors.Join(err, json.Unmarshal(line, &event))
		r.seen[event.ID] = true
	}
	return errors.Join(err, r.file.Truncate(int64(whole)))
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, 1<<20))
	var event struct{ ID string }
	if err != nil || !r.signed(request.Header, body) || json.Unmarshal(body, &event) != nil || event.ID != request.Header.Get("webhook-id") {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	r.keep(event.ID, body)
	w.WriteHeader(http.StatusNoContent)
}

// signed reports whether a holder of the secret sent this, within five minutes of now.
func (r *receiver) signed(header http.Header, body []byte) bool {
	sent, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	near := err == nil && time.Since(time.Unix(sent, 0)).Abs() <= 5*time.Minute
	mac := hmac.New(sha256.New, r.key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), header.Get("webhook-timestamp"), body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return near && slices.ContainsFunc(strings.Fields(header.Get("webhook-signature")), func(each string) bool {
		return hmac.Equal([]byte(each), []byte(want))
	})
}

// keep writes the event, unless it came before. If that fails it ends the process: a partial line
// may remain, which the next start removes.
func (r *receiver) keep(id string, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen[id] {
		return
	}
	_, err := r.file.Write(append(bytes.ReplaceAll(body, []byte("\n"), []byte(" ")), '\n'))
	if err := errors.Join(err, r.file.Sync()); err != nil {
		log.Fatal(err)
	}
	r.seen[id] = true
}
