// Package hub88 speaks Hub88's operator API in both directions: Handler answers Hub88's
// wallet calls (/user/info, /user/balance, /transaction/bet, win and rollback), and Client
// asks Hub88 for launches and the list of games.
//
// Every body is signed: X-Hub88-Signature is the base64 RSA-SHA256 (PKCS #1 v1.5) signature
// of its bytes. Amounts are integers of 1/100,000 of a currency unit.
package hub88
