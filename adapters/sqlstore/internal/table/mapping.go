package table

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Mapping copies the fields that a row and a value of the domain have in common, both ways: one
// description for what is written and what is read.
type Mapping[R, V any] struct{ fields []mappedField }

// mappedField is where a row and a value have a field.
type mappedField struct{ row, value []int }

// MappingOf pairs the fields of a V with those of an R of the same name. The fields of structs
// that R lacks are looked for in R themselves. others are the names of fields that R calls
// otherwise, as in "Attempt": "Attempts", and an empty name leaves a field out. A field of V that
// is neither in R nor left out stops the program at start.
func MappingOf[R, V any](others map[string]string) Mapping[R, V] {
	left := maps.Clone(others)
	m := Mapping[R, V]{pairFields(reflect.TypeFor[R](), reflect.TypeFor[V](), nil, others, left)}
	if len(left) > 0 {
		panic(fmt.Sprintf("table: a %s has no fields %v", reflect.TypeFor[V](), slices.Sorted(maps.Keys(left))))
	}
	return m
}

// pairFields pairs the fields of a struct, which is at the index of the value, and takes the
// names that it used out of left.
func pairFields(row, value reflect.Type, at []int, others, left map[string]string) (all []mappedField) {
	for i := range value.NumField() {
		f, index := value.Field(i), slices.Concat(at, []int{i})
		name, renamed := others[f.Name]
		if delete(left, f.Name); renamed && name == "" {
			continue
		} else if !renamed {
			name = f.Name
		}
		stored, known := row.FieldByName(name)
		switch {
		case known && stored.Type.Kind() == f.Type.Kind() && stored.Type.ConvertibleTo(f.Type):
			all = append(all, mappedField{stored.Index, index})
		case f.Type.Kind() == reflect.Struct:
			all = append(all, pairFields(row, f.Type, index, others, left)...)
		default:
			panic(fmt.Sprintf("table: a %s has no field for %s of a %s", row, f.Name, value))
		}
	}
	return all
}

// Value returns the value that a row is of.
func (m Mapping[R, V]) Value(row *R) (v V) {
	from, to := reflect.ValueOf(row).Elem(), reflect.ValueOf(&v).Elem()
	for _, f := range m.fields {
		field := to.FieldByIndex(f.value)
		field.Set(from.FieldByIndex(f.row).Convert(field.Type()))
	}
	return v
}

// Set sets what the value says of the row.
func (m Mapping[R, V]) Set(row *R, v *V) {
	from, to := reflect.ValueOf(v).Elem(), reflect.ValueOf(row).Elem()
	for _, f := range m.fields {
		field := to.FieldByIndex(f.row)
		field.Set(from.FieldByIndex(f.value).Convert(field.Type()))
	}
}
