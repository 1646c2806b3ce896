package wallet

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// signingDomain begins every off-chain message. Its first byte, 0xff, begins no
// transaction: below 0x80 the byte counts signatures, above it names a version, and
// version 127 is reserved for off-chain messages.
const signingDomain = "\xffsolana offchain"

// offchainMax is the longest off-chain message in bytes, header included, that the formats
// for hardware wallets allow.
const offchainMax = 1232

// The formats of off-chain messages that hardware wallets sign.
const (
	restrictedASCII = 0 // 0x20 to 0x7e
	limitedUTF8     = 1
)

// offchainMessages returns the text in each off-chain message, header version 0, that the
// wallet may have signed for it: by the specification, with the wallet as the only signer
// and the application domain of zeros, and with the shorter header of `solana
// sign-offchain-message`. Source:
// https://docs.anza.xyz/proposals/off-chain-message-signing
func offchainMessages(key []byte, text string) (messages []string) {
	if text == "" || !utf8.ValidString(text) {
		return nil
	}
	formats := []byte{restrictedASCII, limitedUTF8}
	if strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
		formats = formats[1:]
	}
	length := string(binary.LittleEndian.AppendUint16(nil, uint16(min(len(text), offchainMax))))
	for _, format := range formats {
		current := signingDomain + "\x00" + strings.Repeat("\x00", 32) + string([]byte{format, 1}) + string(key) + length + text
		legacy := signingDomain + "\x00" + string([]byte{format}) + length + text
		for _, message := range []string{current, legacy} {
			if len(message) <= offchainMax {
				messages = append(messages, message)
			}
		}
	}
	return messages
}
