// Package remotesigner keeps the treasury's key on another machine. Client calls a signer
// over HTTP and verifies every response; Server is a small reference signer with its own
// policy.
//
// The signer decodes each message. It allows one payment out of the treasury, in SOL or an
// accepted token, with exactly the instructions of a payout (compute budget,
// CreateIdempotent, TransferChecked or a system transfer, memo). It enforces its own caps
// with its own journal, so that even a compromised service can't get more signed. With
// approvers it pays only what these persons signed: it computes the text of their
// signatures from the decoded message and verifies them. Only wiring imports this package.
//
// The protocol is one call, POST /sign with a bearer token:
//
//	{"message": "<base64 of a transaction's message>",
//	 "approvals": [{"by": "<wallet>", "timestamp": <Unix milliseconds>, "signature": "<base64 of 64 bytes>"}]}
//	→  200 {"signature": "<base64 of 64 bytes>"}
//
// approvals is omitted if there are none; withdrawal.ApprovalMessage is the text that they
// sign. 401 means a wrong token, 400 a malformed request, 403 a payment that the policy
// rejects; each with {"error": "<why>"}.
package remotesigner
