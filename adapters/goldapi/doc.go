// Package goldapi speaks the "gold_api" agent protocol of game aggregators, both
// ways: Client asks the provider for launches, catalogues and its log, Handler
// answers the wallet callbacks that the provider makes.
//
// The protocol is the one aggregators of this name publish: a POST of one JSON
// object with a method and the agent's credentials, answered by {"status": 1|0,
// "msg": …}. Money in it is decimal. Commands wire it; httpapi mounts the Handler
// without knowing it. The sub-package demo is a provider for development.
package goldapi
