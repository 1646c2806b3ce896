// Package parse reads requests strictly: it rejects unknown and duplicate names in bodies
// and queries, and never rounds or guesses. It knows the form of texts, amounts and
// addresses, but no endpoints. Every error is a fault that names the field.
package parse
