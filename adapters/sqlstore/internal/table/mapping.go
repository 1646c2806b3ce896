package table

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Mapping copies the fields that a row and a domain value share, in both directions, so that
// writing and reading use one description.
type Mapping[R, V any] struct{ fields []mappedField }

// mappedField holds the indexes of a field in the row and in the value.
type mappedField struct{ row, value []int }

// MappingOf pairs the fields of V with the fields of R of the same name. A struct field that R
// lacks is searched for in R field by field. others renames fields, as in "Attempt": "Attempts";
// an empty name leaves a field out. It panics at start for a field of V that is neither in R nor
// left out.
func MappingOf[R, V any](others map[string]string) Mapping[R, V] {
	left := maps.Clone(others)
	m := Mapping[R, V]{pairFields(reflect.TypeFor[R](), reflect.TypeFor[V](), nil, others, left)}
	if len(left) > 0 {
		panic(fmt.Sprintf("table: a %s has no fields %v", reflect.TypeFor[V](), slices.Sorted(maps.Keys(left))))
	}
	return m
}

// pairFields pairs the fields of a struct, which is at this index of the value, and removes the
// names it used from left.
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

// Value returns the value of a row.
func (m Mapping[R, V]) Value(row *R) (v V) {
	from, to := reflect.ValueOf(row).Elem(), reflect.ValueOf(&v).Elem()
	for _, f := range m.fields {
		field := to.FieldByIndex(f.value)
		field.Set(from.FieldByIndex(f.row).Convert(field.Type()))
	}
	return v
}

// Set sets the row's fields from the value.
func (m Mapping[R, V]) Set(row *R, v *V) {
	from, to := reflect.ValueOf(v).Elem(), reflect.ValueOf(row).Elem()
	for _, f := range m.fields {
		field := to.FieldByIndex(f.row)
		field.Set(from.FieldByIndex(f.value).Convert(field.Type()))
	}
}
