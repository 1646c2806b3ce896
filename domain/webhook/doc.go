// Package webhook is what an agent's own server hears of events: the endpoints that events
// are sent to, what becomes of one that doesn't take them, and how a delivery is signed
// (Standard Webhooks 1.0.0, https://www.standardwebhooks.com).
//
// Use cases and their worker decide with it; receivers may verify with it.
package webhook
