// Package operation lists the operations of the contract: method, path, query and body.
package operation

// Operation is one operation of the contract.
type Operation struct {
	ID, Method, Path string
	// Query and Body are zero values of the types of query and body, or nil.
	Query, Body any
	// Nothing is set if a body must be missing or an empty object.
	Nothing bool
}
