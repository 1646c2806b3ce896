package main

import (
	"go.yaml.in/yaml/v3"
	"strings"
)

// resolved returns a copy of a tree without aliases and merge keys.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return resolved(n.Alias)
	}
	copied := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style &^ yaml.FlowStyle}
	if n.Kind != yaml.MappingNode {
		for _, item := range n.Content {
			copied.Content = append(copied.Content, resolved(item))
		}
		return copied
	}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], resolved(n.Content[i+1])
		if key.Value == "<<" {
			for j := 0; j < len(value.Content); j += 2 {
				if name := value.Content[j].Value; find(n, name) == nil && find(copied, name) == nil {
					copied.Content = append(copied.Content, value.Content[j], value.Content[j+1])
				}
			}
			continue
		}
		copied.Content = append(copied.Content, resolved(key), value)
	}
	return copied
}

// find returns a member of a mapping, or nil.
func find(n *yaml.Node, path ...string) *yaml.Node {
	for _, key := range path {
		var next *yaml.Node
		if n != nil && n.Kind == yaml.MappingNode {
			for i := 0; i < len(n.Content); i += 2 {
				if n.Content[i].Value == key {
					next = n.Content[i+1]
				}
			}
		}
		n = next
	}
	return n
}

func text(n *yaml.Node, path ...string) string {
	if found := find(n, path...); found != nil {
		return found.Value
	}
	return ""
}

// set sets a member of a mapping.
func set(n *yaml.Node, key string, value *yaml.Node) {
	remove(n, key)
	n.Content = append(n.Content, scalar(key), value)
}

func remove(n *yaml.Node, keys ...string) {
	for _, key := range keys {
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				n.Content = append(n.Content[:i:i], n.Content[i+2:]...)
				break
			}
		}
	}
}

func scalar(value string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: value} }

func quoted(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: value}
}

// oneLine joins the lines of a text with blanks, because the generated comment is one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode} }

// each calls visit for every member of a mapping, in order.
func each(n *yaml.Node, visit func(key string, value *yaml.Node) error) error {
	if n == nil {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := visit(n.Content[i].Value, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func contains(n *yaml.Node, value string) bool {
	if n == nil {
		return false
	}
	for _, item := range n.Content {
		if item.Value == value {
			return true
		}
	}
	return false
}
