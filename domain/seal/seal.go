// Package seal defines seals of rows: message authentication codes under a key that the
// database lacks, so that access to the database alone isn't enough to forge a row.
//
// The packages of the values make the messages (withdrawal, rbac, token); this package
// has what they share. Adapters with keys implement Authenticator, see the port of the
// same name.
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

// Off reports whether sealing is off: nothing is sealed or checked.
func Off(a Authenticator) bool { return Or(a) == None{} }

// None seals nothing and accepts everything, for a service without an authenticator.
type None struct{}

var _ Authenticator = None{}

// Seal returns no seal.
func (None) Seal(string, []byte) (string, error) { return "", nil }

// Verify accepts every seal.
func (None) Verify(string, []byte, string) error { return nil }

// Row is a stored row that carries a seal.
type Row struct {
	// Purpose is the purpose of the seal, ID the row's id within it.
	Purpose, ID string
	Message     []byte
	Seal        string
}

// Replacement is a new seal for a row.
type Replacement struct {
	Row
	By string
}
