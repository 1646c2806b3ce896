package verifier

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
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

// readObject reads a JSON object. A member that is there twice is refused.
func readObject(text []byte) (jsonNode, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	read, err := readNode(decoder)
	if err != nil || read.kind != '{' {
		return absent, errNoJSON
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return absent, errNoJSON
	}
	return read, nil
}

func readNode(from *jsontext.Decoder) (jsonNode, error) {
	switch kind := from.PeekKind(); kind {
	case '{', '[':
		return readItems(from, kind)
	case '0':
		number, err := from.ReadValue()
		return jsonNode{kind: kind, text: string(number)}, err
	default:
		token, err := from.ReadToken()
		if err != nil {
			return absent, err
		}
		read := jsonNode{kind: kind}
		if kind == '"' {
			read.text = token.String()
		}
		return read, nil
	}
}

func readItems(from *jsontext.Decoder, kind jsontext.Kind) (jsonNode, error) {
	read := jsonNode{kind: kind}
	if _, err := from.ReadToken(); err != nil {
		return absent, err
	}
	for {
		next := from.PeekKind()
		if next == '}' || next == ']' {
			_, err := from.ReadToken()
			return read, err
		}
		if kind == '{' {
			name, err := from.ReadToken()
			if err != nil {
				return absent, err
			}
			read.names = append(read.names, name.String())
		}
		item, err := readNode(from)
		if err != nil {
			return absent, err
		}
		read.items = append(read.items, item)
	}
}

// get returns a member of an object, absent where it has none.
func (n jsonNode) get(name string) jsonNode {
	if i := slices.Index(n.names, name); i >= 0 {
		return n.items[i]
	}
	return absent
}

func (n jsonNode) has(name string) bool {
	return slices.Contains(n.names, name)
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
