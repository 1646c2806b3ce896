package verifier

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A jsonNode is a JSON value with the digits of its numbers and the order of its members.
type jsonNode struct {
	kind  jsontext.Kind // 'n', 'f', 't', '"', '0', '{', '['
	text  string        // of a text or a number
	items []jsonNode
	names []string // of an object's items
}

var absent = jsonNode{kind: 'n'}

// errNoJSON refuses a text that isn't one JSON object.
var errNoJSON = errors.New("malformed: no JSON")

// readObject reads a JSON object. Duplicate members are refused.
func readObject(text []byte) (jsonNode, error) {
	if value := jsontext.Value(text); !value.IsValid() || value.Kind() != '{' {
		return absent, errNoJSON
	}
	return readNode(jsontext.NewDecoder(bytes.NewReader(text))), nil
}

// readNode reads a value of a valid text.
func readNode(from *jsontext.Decoder) jsonNode {
	token, _ := from.ReadToken()
	read := jsonNode{kind: token.Kind()}
	switch read.kind {
	case '"', '0':
		read.text = token.String()
	case '{', '[':
		for next := from.PeekKind(); next != '}' && next != ']'; next = from.PeekKind() {
			if read.kind == '{' {
				name, _ := from.ReadToken()
				read.names = append(read.names, name.String())
			}
			read.items = append(read.items, readNode(from))
		}
		_, _ = from.ReadToken()
	}
	return read
}

// get returns a member of an object, absent where it has none.
func (n jsonNode) get(name string) jsonNode {
	if i := slices.Index(n.names, name); i >= 0 {
		return n.items[i]
	}
	return absent
}

var integerText = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,18})$`)

// integer returns an integer, written as a number or a text.
func (n jsonNode) integer() (int64, bool) {
	if (n.kind != '0' && n.kind != '"') || !integerText.MatchString(n.text) {
		return 0, false
	}
	v, err := strconv.ParseInt(n.text, 10, 64)
	return v, err == nil
}

// bytes returns the bytes of a base64 text of one length.
func (n jsonNode) bytes(length int) ([]byte, bool) {
	if n.kind != '"' {
		return nil, false
	}
	data, err := base64.StdEncoding.DecodeString(n.text)
	return data, err == nil && len(data) == length && base64.StdEncoding.EncodeToString(data) == n.text
}

// hashes returns the hashes of a list of base64 texts.
func (n jsonNode) hashes() (hashes [][]byte, ok bool) {
	for _, item := range n.items {
		hash, ok := item.bytes(sha256.Size)
		if !ok {
			return nil, false
		}
		hashes = append(hashes, hash)
	}
	return hashes, n.kind == '['
}

// memberReader reads members of objects, and keeps the first failure.
type memberReader struct{ err error }

// check fails with the name of a member unless the condition holds.
func (m *memberReader) check(ok bool, name string) {
	if !ok && m.err == nil {
		m.err = errors.New("malformed: " + name)
	}
}

func (m *memberReader) text(n jsonNode, of, name string) string {
	v := n.get(name)
	m.check(v.kind == '"', of+"."+name)
	return v.text
}

func (m *memberReader) integer(n jsonNode, of, name string) int64 {
	v, ok := n.get(name).integer()
	m.check(ok, of+"."+name)
	return v
}

// canonicalBytes collects the canonical encoding of a leaf.
type canonicalBytes []byte

func (c *canonicalBytes) integers(values ...int64) {
	for _, v := range values {
		*c = binary.BigEndian.AppendUint64(*c, uint64(v))
	}
}

func (c *canonicalBytes) texts(values ...string) {
	for _, s := range values {
		c.integers(int64(len(s)))
		*c = append(*c, s...)
	}
}

func (c *canonicalBytes) value(n jsonNode) {
	switch n.kind {
	case 'f':
		c.integers(1, 0)
	case 't':
		c.integers(1, 1)
	case '0':
		c.integers(2)
		c.texts(n.text)
	case '"':
		c.integers(3)
		c.texts(n.text)
	case '[':
		c.integers(4, int64(len(n.items)))
		for _, item := range n.items {
			c.value(item)
		}
	case '{':
		c.integers(5, int64(len(n.items)))
		for i, item := range n.items {
			c.texts(n.names[i])
			c.value(item)
		}
	default:
		c.integers(0)
	}
}

// written returns a value as the fields of events have it.
func (n jsonNode) written() string {
	items := make([]string, len(n.items))
	for i, item := range n.items {
		items[i] = item.written()
		if n.kind == '{' {
			items[i] = n.names[i] + ": " + items[i]
		}
	}
	switch n.kind {
	case 't':
		return "true"
	case 'f':
		return "false"
	case '0':
		return n.text
	case '"':
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(n.text) + `"`
	case '[':
		return "[" + strings.Join(items, ", ") + "]"
	case '{':
		return "{" + strings.Join(items, ", ") + "}"
	default:
		return "absent"
	}
}

// sameValue reports whether two values have the same canonical encoding.
func sameValue(a, b jsonNode) bool {
	var first, second canonicalBytes
	first.value(a)
	second.value(b)
	return bytes.Equal(first, second)
}
