package reads

import "strings"

// conditions are what a list's rows must fulfil.
type conditions struct {
	texts     []string
	arguments []any
}

func (c *conditions) add(text string, argument any) {
	c.texts = append(c.texts, text)
	c.arguments = append(c.arguments, argument)
}

// is narrows by a condition that takes no argument.
func (c *conditions) is(text string) { c.texts = append(c.texts, text) }

// equals narrows by a column unless the value is empty.
func (c *conditions) equals(column, value string) {
	if value != "" {
		c.add(column+" = ?", value)
	}
}

// where is the WHERE clause.
func (c *conditions) where() string {
	if len(c.texts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.texts, " AND ")
}
