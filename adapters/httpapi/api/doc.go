// Package api is the shapes of the HTTP API: what requests carry in their bodies
// and queries, and what responses hold. The handlers of httpapi and its client use
// them, and openapi.yaml describes them; each shape is written here and nowhere else.
//
// Amounts are base units of their token, moments are Unix milliseconds, a pointer
// that is nil is null. A request's field without a name in JSON travels elsewhere:
// in the path or as the header Idempotency-Key; Replayed is the header
// Idempotent-Replayed. Nothing here reads, checks or decides.
package api
