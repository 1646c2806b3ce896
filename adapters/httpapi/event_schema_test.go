package httpapi_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// schemaOf returns the JSON schema of the data of an event type, from its Go type. Later
// versions may add members; readers must ignore unknown ones.
func schemaOf(name, id string, shape reflect.Type) map[string]any {
	schema := objectSchema(shape)
	schema["$schema"], schema["$id"], schema["title"] = "https://json-schema.org/draft/2020-12/schema", id, name
	return schema
}

func objectSchema(shape reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	for i := range shape.NumField() {
		field := shape.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if options == "inline" {
			within := objectSchema(field.Type)
			maps.Copy(properties, within["properties"].(map[string]any))
			required = append(required, within["required"].([]string)...)
			continue
		}
		left := strings.Contains(options, "omit") // left out, and never null
		if of := field.Type; left && of.Kind() == reflect.Pointer {
			properties[name] = valueSchema(of.Elem())
		} else {
			properties[name] = valueSchema(of)
		}
		if !left {
			required = append(required, name)
		}
	}
	slices.Sort(required)
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

func valueSchema(of reflect.Type) map[string]any {
	switch {
	case of == reflect.TypeFor[json.RawMessage]():
		return map[string]any{} // defined by each game
	case of == reflect.TypeFor[api.Number]():
		return map[string]any{"type": "number"}
	case of.Kind() == reflect.Pointer:
		schema := valueSchema(of.Elem())
		schema["type"] = []any{schema["type"], "null"}
		return schema
	case of.Kind() == reflect.Slice:
		return map[string]any{"type": "array", "items": valueSchema(of.Elem())}
	case of.Kind() == reflect.Struct:
		return objectSchema(of)
	case of.Kind() == reflect.String:
		return map[string]any{"type": "string"}
	case of.Kind() == reflect.Bool:
		return map[string]any{"type": "boolean"}
	}
	return map[string]any{"type": "integer"}
}
