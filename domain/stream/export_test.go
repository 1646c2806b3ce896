package stream

import "encoding/base64"

// Summed returns a cursor's text over any bytes.
func Summed(raw []byte) string {
	return base64.RawURLEncoding.EncodeToString(append(raw, sumOf(raw)...))
}
