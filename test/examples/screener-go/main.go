// Command screener-go is a screener that casino serve asks over HTTP (docs/operations/admission.md):
// it verifies each request and sends payouts to another wallet to a review.
//
//	SCREENER_SECRET=whsec_… go run ./test/examples/screener-go 127.0.0.1:8090
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("SCREENER_SECRET"), "whsec_"))
	if err != nil || len(os.Args) != 2 {
		log.Fatal("usage: SCREENER_SECRET=whsec_… screener-go HOST:PORT")
	}
	log.Fatal(http.ListenAndServe(os.Args[1], screener(key, judge)))
}

type question struct {
	Point, Wallet, Agent, Remote, Address, ID string
	At                                        int64 // Unix milliseconds
}

// judge is the only part that you change.
func judge(q question) (verdict, evidence string) {
	if q.Point == "payout" && q.Address != q.Wallet {
		return "review", "paid to another wallet"
	}
	return "allow", ""
}

func screener(key []byte, judge func(question) (verdict, evidence string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
		at := r.Header.Get("webhook-timestamp")
		mac := hmac.New(sha256.New, key)
		_, _ = fmt.Fprintf(mac, "%s.%s.%s", r.Header.Get("webhook-id"), at, body)
		signature := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		seconds, _ := strconv.ParseInt(at, 10, 64)
		var q question
		switch {
		case err != nil || !hmac.Equal([]byte(signature), []byte(r.Header.Get("webhook-signature"))):
			http.Error(w, "wrong signature", http.StatusUnauthorized)
		case time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute:
			http.Error(w, "too old", http.StatusUnauthorized)
		case json.Unmarshal(body, &q) != nil:
			http.Error(w, "not a question", http.StatusBadRequest)
		default:
			verdict, evidence := judge(q)
			_ = json.NewEncoder(w).Encode(map[string]string{"verdict": verdict, "evidence": evidence})
		}
	}
}
