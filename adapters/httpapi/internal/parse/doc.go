// Package parse reads requests strictly: JSON bodies and queries in which nothing is
// unknown, given twice, rounded or guessed. It knows what a text, an amount or an
// address looks like and nothing of any endpoint. Every refusal is a fault that names
// the field.
package parse
