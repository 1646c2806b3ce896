package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// names is generate/names.yaml.
type names struct {
	Components map[string]string // Go types of the contract's components, where they differ
	Inline     map[string]string // Go types of inline objects: "operation.request", "Parent.member"
	Fields     map[string]string // Go types of members: "Parent.member"
	Imports    map[string]string // what Fields need
	Embed      map[string]string // structs that begin with another one's fields
	Part       map[string]part   // structs that are a part of another one
	GoNames    map[string]string `yaml:"goNames"` // Go names of members
	Optional   []string          // members that one of an operation's responses leaves out
	Pointers   []string          // structs in which an optional member's zero is a value
	Base       []string          // members that count base units of a token
	Small      []string          // integers that fit an int
	Unbounded  []string          // integers of any length
	Written    []string          // types that are written by hand
}

// part is a struct with some fields of another one.
type part struct {
	Of      string
	Without []string
}

// rewriter makes the contract for oapi-codegen.
type rewriter struct {
	from  *yaml.Node
	names names
	types *yaml.Node // by their Go names
	order int
}

func rewrite(contract *yaml.Node, table names) (*yaml.Node, error) {
	r := &rewriter{from: resolved(contract), names: table, types: mapping()}
	paths := mapping()
	err := each(find(r.from, "paths"), func(path string, item *yaml.Node) error {
		kept := mapping()
		set(paths, path, kept)
		return each(item, func(method string, operation *yaml.Node) error {
			made, err := r.operation(method, path, operation)
			set(kept, method, made)
			if err != nil {
				return fmt.Errorf("%s %s: %w", method, path, err)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	err = each(find(r.from, "components", "schemas"), func(name string, schema *yaml.Node) error {
		if !isStruct(schema) {
			return nil
		}
		return r.define(r.component(name), "is the contract's schema "+name+".", schema, strings.HasSuffix(name, "Request"))
	})
	if err != nil {
		return nil, err
	}
	_ = each(paths, func(_ string, item *yaml.Node) error {
		return each(item, func(_ string, operation *yaml.Node) error {
			r.unwrap(operation)
			return nil
		})
	})
	for _, name := range slices.Sorted(keysOf(table.Part)) {
		r.cut(name, table.Part[name])
	}
	for _, name := range slices.Sorted(keysOf(table.Embed)) {
		if err := r.embed(name, table.Embed[name]); err != nil {
			return nil, err
		}
	}
	rewritten := mapping()
	set(rewritten, "openapi", quoted("3.0.3"))
	set(rewritten, "info", find(r.from, "info"))
	set(rewritten, "paths", paths)
	components := mapping()
	set(components, "schemas", r.types)
	set(rewritten, "components", components)
	return rewritten, nil
}

func keysOf[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// operation keeps the parameters in path and query, and names the types of body and result.
func (r *rewriter) operation(method, path string, from *yaml.Node) (*yaml.Node, error) {
	made, id := mapping(), text(from, "operationId")
	set(made, "operationId", scalar(id))
	set(made, "summary", quoted(text(from, "summary")))
	where := strings.ToUpper(method) + " " + path + "."
	parameters := &yaml.Node{Kind: yaml.SequenceNode}
	if given := find(from, "parameters"); given != nil {
		for _, parameter := range given.Content {
			parameter = r.follow(parameter)
			switch in := text(parameter, "in"); {
			case text(parameter, "name") == "Idempotency-Key":
				set(made, "x-key", scalar("true"))
				continue
			case in != "path" && in != "query":
				continue
			}
			kept := mapping()
			for _, key := range []string{"name", "in", "required", "description"} {
				if value := find(parameter, key); value != nil {
					set(kept, key, value)
				}
			}
			schema, err := r.member(id+"."+text(parameter, "name"), find(parameter, "schema"), true)
			if err != nil {
				return nil, err
			}
			set(kept, "schema", schema)
			parameters.Content = append(parameters.Content, kept)
		}
	}
	set(made, "parameters", parameters)
	if err := r.body(made, id, where, from); err != nil {
		return made, err
	}
	if err := r.result(made, id, where, find(from, "responses")); err != nil {
		return made, err
	}
	response := mapping()
	set(response, "description", scalar("x"))
	responses := mapping()
	set(responses, "200", response)
	set(made, "responses", responses)
	return made, nil
}

func (r *rewriter) body(made *yaml.Node, id, where string, from *yaml.Node) error {
	body := r.follow(find(from, "requestBody"))
	schema := find(body, "content", "application/json", "schema")
	if schema == nil || !isStruct(r.follow(schema)) && text(schema, "$ref") == "" {
		if body != nil && text(body, "required") != "true" {
			set(made, "x-nothing", scalar("true"))
		}
		return nil
	}
	name, err := r.named(id+".request", upper(id)+"Request", "is the body of "+where, schema, true)
	if err != nil {
		return err
	}
	set(made, "x-body", scalar(name))
	if text(body, "required") != "true" {
		set(made, "x-optional", scalar("true"))
	}
	return nil
}

// result names the type of the successful response, and its member where it has only one.
func (r *rewriter) result(made *yaml.Node, id, where string, responses *yaml.Node) error {
	err := each(responses, func(status string, response *yaml.Node) error {
		if status[0] != '2' {
			return nil
		}
		schema := find(r.follow(response), "content", "application/json", "schema")
		if schema == nil {
			if status == "204" {
				set(made, "x-empty", scalar("true"))
			}
			return nil
		}
		if strings.HasSuffix(text(response, "$ref"), "/Asked") { // the other response of the operation has a member for it
			set(made, "x-asked", scalar("true"))
			return nil
		}
		if find(r.follow(response), "headers", "Idempotent-Replayed") != nil {
			set(made, "x-replayed", scalar("true"))
		}
		name, err := r.named(id+".response", upper(id)+"Response", "is the response of "+where, schema, false)
		if err != nil || find(made, "x-result") != nil {
			return err
		}
		set(made, "x-result", scalar(name))
		return nil
	})
	if err != nil || find(made, "x-result") == nil {
		return err
	}
	if find(made, "x-asked") != nil {
		set(find(r.types, text(made, "x-result"), "properties"), "approval", r.approval())
	}
	return nil
}

// unwrap notes the only member of a result. A body that can be sent with an idempotency key is
// marked, and so is its result.
func (r *rewriter) unwrap(operation *yaml.Node) {
	result := find(r.types, text(operation, "x-result"))
	if body := find(r.types, text(operation, "x-body")); body != nil && find(operation, "x-key") != nil {
		set(body, "x-key", scalar("true"))
	}
	if find(operation, "x-replayed") != nil {
		set(result, "x-replayed", scalar("true"))
		return
	}
	properties := find(result, "properties")
	if properties != nil && len(properties.Content) == 2 && find(result, "x-embed-last") == nil {
		set(operation, "x-member", scalar(properties.Content[0].Value))
		set(operation, "x-member-type", quoted(goTypeOf(properties.Content[1])))
	}
}

// approval returns the member of a response for a request that waits for a second admin.
func (r *rewriter) approval() *yaml.Node {
	made := mapping()
	set(made, "type", scalar("object"))
	set(made, "description", quoted("What waits for a second person; the rest is empty then."))
	set(made, "x-go-type", quoted("Approval"))
	set(made, "x-order", scalar("1000000"))
	return made
}

// named returns the Go name of an object, and defines it if it is inline.
func (r *rewriter) named(path, otherwise, doc string, schema *yaml.Node, request bool) (string, error) {
	if ref := text(schema, "$ref"); ref != "" {
		return r.component(last(ref)), nil
	}
	name := otherwise
	if given, ok := r.names.Inline[path]; ok {
		name = given
	}
	return name, r.define(name, doc, schema, request)
}

// define adds a struct, once.
func (r *rewriter) define(name, doc string, schema *yaml.Node, request bool) error {
	if find(r.types, name) != nil {
		return nil
	}
	made, properties := mapping(), mapping()
	set(r.types, name, made)
	set(made, "type", scalar("object"))
	if description := oneLine(text(schema, "description")); description != "" {
		doc += " " + description
	}
	set(made, "description", quoted(doc))
	parts := []*yaml.Node{schema}
	if all := find(schema, "allOf"); all != nil {
		parts = all.Content
	}
	required := &yaml.Node{Kind: yaml.SequenceNode}
	for _, one := range parts {
		if ref := text(one, "$ref"); ref != "" {
			set(made, "x-embed-last", scalar(r.component(last(ref))))
			continue
		}
		if found := find(one, "required"); found != nil {
			for _, member := range found.Content {
				if !slices.Contains(r.names.Optional, name+"."+member.Value) {
					required.Content = append(required.Content, member)
				}
			}
		}
		err := each(find(one, "properties"), func(member string, of *yaml.Node) error {
			kept, err := r.member(name+"."+member, of, request)
			if err != nil {
				return fmt.Errorf("%s.%s: %w", name, member, err)
			}
			isStruct := find(r.types, text(kept, "x-go-type")) != nil
			if !isStruct && find(kept, "nullable") == nil && !slices.Contains(r.names.Pointers, name) {
				set(kept, "x-go-type-skip-optional-pointer", scalar("true"))
			}
			r.order++
			set(kept, "x-order", scalar(strconv.Itoa(r.order)))
			set(properties, member, kept)
			return nil
		})
		if err != nil {
			return err
		}
	}
	set(made, "properties", properties)
	set(made, "required", required)
	return nil
}

// member returns the schema of a struct's field.
func (r *rewriter) member(path string, from *yaml.Node, request bool) (*yaml.Node, error) {
	made := mapping()
	description := text(from, "description")
	from, nullable := r.simple(from)
	if description == "" && text(from, "$ref") == "" {
		description = text(from, "description")
	}
	if description != "" {
		set(made, "description", quoted(oneLine(description)))
	}
	if nullable {
		set(made, "nullable", scalar("true"))
	}
	if given, ok := r.names.GoNames[path]; ok {
		set(made, "x-go-name", quoted(given))
	}
	goType := func(name string) {
		set(made, "x-go-type", quoted(name))
		set(made, "type", scalar("object"))
		if isNilable(name) {
			set(made, "x-go-type-skip-optional-pointer", scalar("true"))
			remove(made, "nullable")
		}
	}
	kind, name := text(from, "type"), path[strings.IndexByte(path, '.')+1:]
	if kind == "integer" && (find(from, "x-base") != nil || slices.Contains(r.names.Base, name)) {
		set(made, "x-base", scalar("true"))
	}
	if given, ok := r.names.Fields[path]; ok {
		goType(given)
		return made, nil
	}
	set(made, "type", scalar(kind))
	switch {
	case text(from, "$ref") != "":
		goType(r.component(last(text(from, "$ref"))))
	case kind == "array" && find(from, "items", "additionalProperties") != nil && text(from, "items", "additionalProperties") == "true",
		kind == "object" && text(from, "additionalProperties") == "true" && find(from, "required") == nil:
		goType(map[bool]string{true: "any", false: "json.RawMessage"}[request])
	case kind == "array":
		items, err := r.member(strings.TrimSuffix(path, "s")+"[]", find(from, "items"), request)
		if err != nil {
			return nil, err
		}
		set(made, "items", items)
	case kind == "object":
		path = strings.TrimSuffix(path, "[]")
		parent, child, _ := strings.Cut(path, ".")
		name, err := r.named(path, parent+upper(child), "is "+parent+"'s "+child+".", from, request)
		if err != nil {
			return nil, err
		}
		goType(name)
	case kind == "number", text(from, "x-number") != "", slices.Contains(r.names.Unbounded, name):
		goType("Number")
	case kind == "integer":
		switch format := text(from, "format"); {
		case format != "":
			set(made, "format", scalar(format))
		case !slices.Contains(r.names.Small, name):
			set(made, "format", scalar("int64"))
		}
	case kind == "string":
		if text(from, "format") == "byte" {
			set(made, "format", scalar("byte"))
			set(made, "x-go-type-skip-optional-pointer", scalar("true"))
		}
	case kind == "boolean":
	default:
		return nil, fmt.Errorf("no Go type for %q", kind)
	}
	return made, nil
}

// simple resolves references to types other than structs, and removes null from the types.
func (r *rewriter) simple(schema *yaml.Node) (*yaml.Node, bool) {
	nullable := false
	for range 9 {
		switch ref, kinds := text(schema, "$ref"), find(schema, "type"); {
		case ref != "":
			found := r.follow(schema)
			if isStruct(found) {
				return schema, nullable
			}
			schema = found
			switch last(ref) {
			case "Amount", "Balance":
				schema = resolved(found)
				set(schema, "x-base", scalar("true"))
			case "Total":
				schema = resolved(found)
				set(schema, "x-base", scalar("true"))
				set(schema, "x-number", scalar("true"))
			}
		case find(schema, "allOf") != nil && len(find(schema, "allOf").Content) == 1:
			schema = find(schema, "allOf").Content[0]
		case find(schema, "oneOf") != nil:
			for _, choice := range find(schema, "oneOf").Content {
				if text(choice, "type") == "null" {
					nullable = true
				} else {
					schema = choice
				}
			}
		case kinds != nil && kinds.Kind == yaml.SequenceNode:
			nullable = nullable || contains(kinds, "null")
			schema = resolved(schema)
			set(schema, "type", scalar(kinds.Content[0].Value))
		default:
			return schema, nullable
		}
	}
	return schema, nullable
}

// cut defines a struct of another one's fields.
func (r *rewriter) cut(name string, of part) {
	made := resolved(find(r.types, of.Of))
	remove(made, "x-replayed", "x-key")
	remove(find(made, "properties"), of.Without...)
	remove(made, "description")
	set(r.types, name, made)
}

// embed makes a struct begin with another one, instead of repeating its fields.
func (r *rewriter) embed(name, base string) error {
	properties := find(r.types, name, "properties")
	if properties == nil || find(r.types, base) == nil {
		return fmt.Errorf("embed: there is no %s or no %s", name, base)
	}
	err := each(find(r.types, base, "properties"), func(member string, _ *yaml.Node) error {
		if find(properties, member) == nil {
			return fmt.Errorf("embed: %s has no %s as %s has", name, member, base)
		}
		remove(properties, member)
		return nil
	})
	set(find(r.types, name), "x-embed", scalar(base))
	return err
}

func (r *rewriter) component(name string) string {
	if given, ok := r.names.Components[name]; ok {
		return given
	}
	return name
}

// follow resolves a reference; other nodes are returned unchanged.
func (r *rewriter) follow(n *yaml.Node) *yaml.Node {
	for ref := text(n, "$ref"); ref != ""; ref = text(n, "$ref") {
		n = find(r.from, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return n
}

func isStruct(schema *yaml.Node) bool {
	if all := find(schema, "allOf"); all != nil {
		return len(all.Content) > 1
	}
	properties := find(schema, "properties")
	return properties != nil && len(properties.Content) > 0
}

// goTypeOf returns the Go type of a member as other packages write it.
func goTypeOf(member *yaml.Node) string {
	switch name := text(member, "x-go-type"); {
	case text(member, "type") == "array":
		return "[]" + goTypeOf(find(member, "items"))
	case name != "" && strings.ToUpper(name[:1]) == name[:1] && name[0] != '[':
		return "api." + name
	case name != "":
		return name
	}
	return text(member, "type")
}

// isNilable reports whether the zero value of a Go type stands for null.
func isNilable(goType string) bool {
	return goType == "any" || goType == "json.RawMessage" || strings.HasPrefix(goType, "[]") || strings.HasPrefix(goType, "map[")
}

func last(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func upper(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
