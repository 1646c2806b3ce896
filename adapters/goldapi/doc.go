// Package goldapi speaks the "gold_api" agent protocol of game aggregators, in both
// directions: Client asks the provider for launches, catalogues and its log, and Handler
// answers the provider's wallet callbacks.
//
// A request of the protocol is a POST of one JSON object with a method and the agent's
// credentials; the response is {"status": 1|0, "msg": …}. Amounts are decimal. Commands
// create both types; httpapi mounts the Handler as an http.Handler.
package goldapi
