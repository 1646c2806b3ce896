package verifier

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// NoteKeys are verifier keys of signed notes.
type NoteKeys []noteKey

// noteKey is the verifier key of a log or of a witness.
type noteKey struct {
	name      string
	algorithm byte
	id        []byte
	public    ed25519.PublicKey
}

// Algorithms of keys: the byte before the public key.
const logKey, witnessKey = 1, 4

var noteKeyText = regexp.MustCompile("^([^ +\x00-\x1f]+)\\+([0-9a-f]{8})\\+([A-Za-z0-9+/]{44})$")

func readNoteKey(text string) (k noteKey, valid bool) {
	found := noteKeyText.FindStringSubmatch(text)
	if found == nil {
		return k, false
	}
	key, err := base64.StdEncoding.DecodeString(found[3])
	if err != nil {
		return k, false
	}
	sum := sha256.Sum256(slices.Concat([]byte(found[1]+"\n"), key))
	k = noteKey{name: found[1], algorithm: key[0], id: sum[:4], public: key[1:]}
	return k, hex.EncodeToString(k.id) == found[2]
}

// ReadLogKeys reads the keys of the public log in an answer of GET /public/keys, perhaps none.
func ReadLogKeys(text []byte) (keys NoteKeys, err error) {
	var file struct {
		Log []string `json:"log"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("the keys can't be read: %w", err)
	}
	for _, text := range file.Log {
		if k, valid := readNoteKey(text); valid {
			keys = append(keys, k)
		}
	}
	return keys, nil
}

// ReadWitnessKeys reads the keys of witnesses, one a line.
func ReadWitnessKeys(text string) (keys NoteKeys, err error) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		k, valid := readNoteKey(line)
		if !valid || k.algorithm != witnessKey {
			return nil, errors.New("the witnesses' keys have a line that is no verifier key of a witness")
		}
		keys = append(keys, k)
	}
	if keys == nil {
		return nil, errors.New("the witnesses' keys have no line")
	}
	return keys, nil
}

// signed reports whether one of a note's lines is a signature of its text by the key.
func (k noteKey) signed(text string, lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		encoded, found := strings.CutPrefix(line, "— "+k.name+" ")
		data, err := base64.StdEncoding.Strict().DecodeString(encoded)
		if !found || err != nil || !bytes.HasPrefix(data, k.id) {
			return false
		}
		signature, message := data[len(k.id):], text
		if k.algorithm == witnessKey && len(signature) == 8+ed25519.SignatureSize {
			message = fmt.Sprintf("cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(signature), text)
			signature = signature[8:]
		}
		return len(signature) == ed25519.SignatureSize && ed25519.Verify(k.public, []byte(message), signature)
	})
}
