// Package shape reads the tags of the types in httpapi/api: the names of a body's or a
// query's members, a filter as a query, and which members are amounts. The client and the
// route table use it, so that neither repeats the names.
package shape

import (
	"reflect"
	"strings"
)

// Body returns the names of a body's members in order; nil for nil.
func Body(of any) []string { return names(of, "json") }

// Query returns the names of a filter's parameters in order; nil for nil.
func Query(of any) []string { return names(of, "query") }

func names(of any, tag string) []string {
	var all []string
	walkFields(reflect.ValueOf(of), tag, func(name string, _ reflect.StructField, _ reflect.Value) { all = append(all, name) })
	return all
}

// walkFields visits the fields of a struct that have a name under the tag, including those
// of embedded structs.
func walkFields(of reflect.Value, tag string, visit func(name string, field reflect.StructField, value reflect.Value)) {
	if !of.IsValid() {
		return
	}
	for i := range of.NumField() {
		field := of.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get(tag), ",")
		switch {
		case field.Anonymous && name == "":
			walkFields(of.Field(i), tag, visit)
		case name != "" && name != "-":
			visit(name, field, of.Field(i))
		}
	}
}
