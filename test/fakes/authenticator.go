package fakes

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Authenticator makes and checks seals under keys made of names, newest first. Without a
// name it has the key "fake".
type Authenticator struct{ Names []string }

func (a Authenticator) names() []string {
	if len(a.Names) == 0 {
		return []string{"fake"}
	}
	return a.Names
}

// Seal serves ports.Authenticator.
func (a Authenticator) Seal(purpose string, message []byte) (string, error) {
	return fakeSeal(a.names()[0], purpose, message), nil
}

// Seals serves ports.RotatedSeals.
func (a Authenticator) Seals(purpose string, message []byte) (all []string, _ error) {
	for _, name := range a.names() {
		all = append(all, fakeSeal(name, purpose, message))
	}
	return all, nil
}

// Verify serves ports.Authenticator.
func (a Authenticator) Verify(purpose string, message []byte, seal string) error {
	name, _, _ := strings.Cut(seal, ":")
	if !slices.Contains(a.names(), name) || seal != fakeSeal(name, purpose, message) {
		return errors.New("fakes: the seal doesn't match")
	}
	return nil
}

func fakeSeal(name, purpose string, message []byte) string {
	mac := hmac.New(sha256.New, []byte(fmt.Sprintf("%d %s %s", len(name), name, purpose)))
	mac.Write(message)
	return name + ":" + hex.EncodeToString(mac.Sum(nil))
}
