// Package remotesigner keeps the treasury's key on another machine: Client asks a
// signer over HTTP and believes nothing it can't verify, Server is a small
// reference signer with a policy of its own.
//
// The signer decodes what it is asked to sign. It allows one payment out of the
// treasury, in SOL or an accepted token, with the instructions that a payout has
// and no other (compute budget, CreateIdempotent, TransferChecked or a system
// transfer, memo), and keeps its own caps and its own journal: a service that was
// taken over can't get more signed than they allow. With approvers of its own it pays
// nothing that these persons didn't sign: it makes the text that they signed from what it
// decodes, and verifies their signatures over that. Wiring imports it; nothing else does.
//
// The protocol is one call, POST /sign with a bearer token:
//
//	{"message": "<base64 of a transaction's message>",
//	 "approvals": [{"by": "<wallet>", "timestamp": <Unix milliseconds>, "signature": "<base64 of 64 bytes>"}]}
//	→  200 {"signature": "<base64 of 64 bytes>"}
//
// approvals is left out where nobody signed one; withdrawal.ApprovalMessage is their text.
// 401 is a wrong token, 400 a malformed request, 403 a payment that the policy
// refuses; each with {"error": "<why>"}.
package remotesigner
