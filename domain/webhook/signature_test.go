package webhook_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/webhook"
)

// The vector of the specification's own libraries (standard-webhooks, TestWebhookSign).
const (
	vectorSecret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	vectorID        = "msg_p5jXN8AQM9LWM0D4loKWxJek"
	vectorTimestamp = 1614265330
	vectorBody      = `{"test": 2432232314}`
	vectorSigned    = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
)

func vectorTime(after time.Duration) time.Time { return time.Unix(vectorTimestamp, 0).Add(after) }

func TestThePublishedVector(t *testing.T) {
	t.Parallel()
	secret := agent.SecretFrom(vectorSecret)
	got, err := webhook.Sign(secret, vectorID, vectorTime(999*time.Millisecond), []byte(vectorBody))
	if err != nil || got != vectorSigned {
		t.Errorf("signed %s, %v", got, err)
	}
	if err := webhook.Verify(secret, vectorID, webhook.Timestamp(vectorTime(0)), vectorSigned, []byte(vectorBody), vectorTime(0)); err != nil {
		t.Error(err)
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	other := "v1," + base64.StdEncoding.EncodeToString(make([]byte, 32))
	moment := fmt.Sprint(vectorTimestamp)
	for name, c := range map[string]struct {
		secret, id, timestamp, signatures, body string
		after                                   time.Duration
		want                                    error
	}{
		"as it was signed":            {},
		"at the end of the tolerance": {after: webhook.Tolerance},
		"at its beginning":            {after: -webhook.Tolerance},
		"one among others":            {signatures: other + " v2,x v1a," + vectorSigned[3:] + " " + vectorSigned},
		"after the tolerance":         {after: webhook.Tolerance + time.Second, want: webhook.ErrTimestamp},
		"before the tolerance":        {after: -webhook.Tolerance - time.Second, want: webhook.ErrTimestamp},
		"another body":                {body: `{"test": 2432232315}`, want: webhook.ErrSignature},
		"another id":                  {id: "msg_other", want: webhook.ErrSignature},
		"no id":                       {id: "-", want: webhook.ErrSignature},
		"another moment":              {timestamp: fmt.Sprint(vectorTimestamp + 1), want: webhook.ErrSignature},
		"a moment in words":           {timestamp: "now", want: webhook.ErrTimestamp},
		"a moment with a sign":        {timestamp: "+" + moment, want: webhook.ErrTimestamp},
		"a moment with zeros":         {timestamp: "0" + moment, want: webhook.ErrTimestamp},
		"the least moment":            {timestamp: "-9223372036854775808", want: webhook.ErrTimestamp},
		"no signature":                {signatures: "-", want: webhook.ErrSignature},
		"another's signature":         {signatures: other, want: webhook.ErrSignature},
		"another version":             {signatures: "v1a" + vectorSigned[2:], want: webhook.ErrSignature},
		"half a signature":            {signatures: vectorSigned[:20], want: webhook.ErrSignature},
		"another secret":              {secret: webhook.NewSecret([32]byte{1}).Reveal(), want: webhook.ErrSignature},
		"no secret":                   {secret: "-", want: webhook.ErrSecret},
		"a short secret":              {secret: "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 23)), want: webhook.ErrSecret},
		"a long secret":               {secret: "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 65)), want: webhook.ErrSecret},
		"a secret of another kind":    {secret: strings.Replace(vectorSecret, "whsec_", "whsk__", 1), want: webhook.ErrSecret},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			or := func(text, without string) string {
				switch text {
				case "":
					return without
				case "-":
					return ""
				}
				return text
			}
			err := webhook.Verify(agent.SecretFrom(or(c.secret, vectorSecret)), or(c.id, vectorID), or(c.timestamp, moment),
				or(c.signatures, vectorSigned), []byte(or(c.body, vectorBody)), vectorTime(c.after))
			if !errors.Is(err, c.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestRotation(t *testing.T) {
	t.Parallel()
	first, second, third := webhook.NewSecret([32]byte{1}), webhook.NewSecret([32]byte{2}), webhook.NewSecret([32]byte{3})
	body, at := []byte(`{}`), vectorTime(0)
	once := webhook.Secrets{Current: first}.Rotated(second, at)
	twice := once.Rotated(third, at.Add(time.Hour))
	for name, c := range map[string]struct {
		secrets webhook.Secrets
		after   time.Duration
		believe []agent.Secret
		refuse  []agent.Secret
	}{
		"never":              {webhook.Secrets{Current: first}, 0, []agent.Secret{first}, []agent.Secret{second}},
		"at once":            {once, 0, []agent.Secret{first, second}, []agent.Secret{third}},
		"within the day":     {once, webhook.PreviousTime - time.Second, []agent.Secret{first, second}, nil},
		"after the day":      {once, webhook.PreviousTime, []agent.Secret{second}, []agent.Secret{first}},
		"twice in the day":   {twice, 2 * time.Hour, []agent.Secret{second, third}, []agent.Secret{first}},
		"a day after second": {twice, 25 * time.Hour, []agent.Secret{third}, []agent.Secret{first, second}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := at.Add(c.after)
			signed, err := c.secrets.Sign("id", now, body)
			if err != nil || strings.Count(signed, " ") != len(c.believe)-1 {
				t.Fatalf("%s, %v", signed, err)
			}
			for _, s := range c.believe {
				if err := webhook.Verify(s, "id", webhook.Timestamp(now), signed, body, now); err != nil {
					t.Error(err)
				}
			}
			for _, s := range c.refuse {
				if err := webhook.Verify(s, "id", webhook.Timestamp(now), signed, body, now); !errors.Is(err, webhook.ErrSignature) {
					t.Errorf("got %v", err)
				}
			}
		})
	}
	if _, err := (webhook.Secrets{}).Sign("id", at, body); !errors.Is(err, webhook.ErrSecret) {
		t.Errorf("without a secret: %v", err)
	}
	broken := webhook.Secrets{Current: first, Previous: agent.SecretFrom("whsec_?"), PreviousUntil: at.Add(time.Hour)}
	if _, err := broken.Sign("id", at, body); !errors.Is(err, webhook.ErrSecret) || strings.Contains(err.Error(), "?") {
		t.Errorf("with a broken one: %v", err)
	}
}

// No input makes a receiver fail, and only signed input verifies.
func FuzzVerify(f *testing.F) {
	secret := agent.SecretFrom(vectorSecret)
	f.Add(vectorID, fmt.Sprint(vectorTimestamp), vectorSigned, []byte(vectorBody))
	f.Add("", "", "", []byte{})
	f.Fuzz(func(t *testing.T, id, timestamp, signatures string, body []byte) {
		believed := webhook.Verify(secret, id, timestamp, signatures, body, vectorTime(0)) == nil
		signed, err := webhook.Sign(secret, id, vectorTime(0), body)
		if err != nil {
			t.Fatal(err)
		}
		if err := webhook.Verify(secret, id, webhook.Timestamp(vectorTime(0)), signatures+" "+signed, body, vectorTime(0)); err != nil {
			t.Errorf("what was signed isn't believed: %v", err)
		}
		if believed && timestamp == fmt.Sprint(vectorTimestamp) && !strings.Contains(signatures, signed[len("v1,"):]) {
			t.Errorf("%q is believed, %q was signed", signatures, signed)
		}
	})
}
