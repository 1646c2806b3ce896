package game

import (
	"strconv"
	"strings"
)

// nestedMax bounds how deep a value that is read back may be.
const nestedMax = 64

// ParseValue reads back what String wrote of a value whose names have neither a colon nor
// a bracket, which those of games don't; false for any other text.
func ParseValue(text string) (Value, bool) {
	v, rest, ok := parseValue(text, nestedMax)
	return v, ok && rest == ""
}

func parseValue(text string, depth int) (v Value, rest string, ok bool) {
	switch {
	case text == "" || depth == 0:
		return Value{}, text, false
	case text[0] == '[':
		members, rest, ok := parseMembers(text[1:], ']', depth)
		return Value{kind: ListKind, members: members}, rest, ok
	case text[0] == '{':
		members, rest, ok := parseMembers(text[1:], '}', depth)
		return Value{kind: ObjectKind, members: members}, rest, ok
	case text[0] == '"':
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return Value{}, text, false
		}
		content, err := strconv.Unquote(quoted)
		return Text(content), text[len(quoted):], err == nil
	}
	end := strings.IndexAny(text, ",]}")
	if end < 0 {
		end = len(text)
	}
	word, rest := text[:end], text[end:]
	switch word {
	case "true", "false":
		return Bool(word == "true"), rest, true
	case "absent":
		return Value{}, rest, true
	}
	v, ok = ParseNumber(word)
	return v, rest, ok
}

// parseMembers reads what is between brackets.
func parseMembers(text string, closing byte, depth int) (members []Member, rest string, ok bool) {
	members = []Member{}
	if text != "" && text[0] == closing {
		return members, text[1:], true
	}
	for {
		var m Member
		if closing == '}' {
			if m.Name, text, ok = strings.Cut(text, ": "); !ok || strings.ContainsAny(m.Name, "[]{}\",:") {
				return nil, text, false
			}
		}
		if m.Value, text, ok = parseValue(text, depth-1); !ok || text == "" {
			return nil, text, false
		}
		members = append(members, m)
		if text[0] == closing {
			return members, text[1:], true
		}
		if text, ok = strings.CutPrefix(text, ", "); !ok {
			return nil, text, false
		}
	}
}
