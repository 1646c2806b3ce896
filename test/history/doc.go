// Package history records the requests of a wallet's clients with their responses and
// their order, and decides whether one wallet that does one thing at a time could have
// given these responses: whether the history is linearizable.
//
// A History is of one wallet and of what it has of one token. Every request is an
// Ask with its Response; a request that was repeated with its key until an
// answer came is one operation, from its first call to its first answer. An
// operation whose answer never came may have been carried out at any moment since,
// or not at all. The model is in wallet.go, the search is porcupine's.
package history
