// Package seal says which rows nobody can forge who holds the database alone: each
// carries a seal, a message authentication code under a key that the database lacks.
//
// The messages are made where the values live (package withdrawal, rbac, token); this
// package has what all of them share. Whoever keeps keys serves Authenticator, see the
// port of the same name.
package seal

// Authenticator makes and checks seals; ports.Authenticator is its contract. Decisions
// take one as an argument: the same message has the same seal, so they stay pure.
type Authenticator interface {
	Seal(purpose string, message []byte) (string, error)
	Verify(purpose string, message []byte, seal string) error
}

// Or returns the authenticator, or None for nil.
func Or(a Authenticator) Authenticator {
	if a == nil {
		return None{}
	}
	return a
}

// Off reports whether nothing is sealed and nothing checked.
func Off(a Authenticator) bool { return Or(a) == None{} }

// None seals nothing and accepts everything: what a service without an authenticator
// uses.
type None struct{}

var _ Authenticator = None{}

// Seal returns no seal.
func (None) Seal(string, []byte) (string, error) { return "", nil }

// Verify accepts every seal.
func (None) Verify(string, []byte, string) error { return nil }

// Row is a stored row that carries a seal.
type Row struct {
	// Purpose is what the seal is made for, ID which row of that purpose it is.
	Purpose, ID string
	Message     []byte
	Seal        string
}

// Replacement is the seal that takes the place of a row's.
type Replacement struct {
	Row
	By string
}
