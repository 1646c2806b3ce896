// Package hsm signs with an Ed25519 key inside a hardware security module, over PKCS#11
// (OASIS PKCS #11 v3.0, mechanism CKM_EDDSA). The key never leaves the module.
//
// A PKCS#11 module is a shared library, so the adapter needs cgo: build with CGO_ENABLED=1.
// Without cgo Open returns an error that says so.
package hsm

// Config names a key in a token.
type Config struct {
	// Module is the path of the PKCS#11 library, such as that of a YubiHSM, a Luna or SoftHSM.
	Module string
	// Token is the label of the token, Key the label (CKA_LABEL) of its private and public key.
	Token, Key string
	// PIN is the PIN of the token's user. It is never part of an error.
	PIN string
}
