// Package operation lists the operations of the contract: method, path, query and body.
package operation

// Operation is one operation of the contract.
type Operation struct {
	ID, Method, Path string
	// Query and Body are zero values of the structs for query and body, nil for none.
	Query, Body any
	// Nothing says that a body must be empty, or an empty object.
	Nothing bool
}
