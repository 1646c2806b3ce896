package api

import (
	"errors"
	"fmt"
	"strconv"
)

// Number is the exact text of a JSON number of any length.
type Number string

// String returns the number's text.
func (n Number) String() string { return string(n) }

// Int64 returns the number as an integer, or an error if it is not one or too long.
func (n Number) Int64() (int64, error) { return strconv.ParseInt(string(n), 10, 64) }

// MarshalJSON returns the number's text; an empty one is an error.
func (n Number) MarshalJSON() ([]byte, error) {
	if n == "" {
		return nil, errors.New("api: an empty number")
	}
	return []byte(n), nil
}

// UnmarshalJSON keeps the number's text; null leaves it empty.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = ""
		return nil
	}
	if _, err := strconv.ParseFloat(string(text), 64); err != nil && !errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("api: %s is not a number", text)
	}
	*n = Number(text)
	return nil
}
