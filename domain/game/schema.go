package game

// schemaDialect is the JSON Schema dialect of published schemas.
const schemaDialect = "https://json-schema.org/draft/2020-12/schema"

// Schema returns the JSON Schema (draft 2020-12) of a config with these fields,
// as a tree that adapters write out. It says all that Normalize checks, but for
// two things a schema can't say: that 2.50 is fine where 2.500 isn't, and what a
// game's own Plan refuses.
func Schema(fields []Field) Value {
	members := []Member{{"$schema", Text(schemaDialect)}}
	return Object(append(members, Record{Fields: fields}.schema()...)...)
}

func (Flag) schema() []Member { return []Member{{"type", Text("boolean")}} }

func (n Number) schema() []Member {
	kind := "number"
	if n.Decimals == 0 {
		kind = "integer"
	}
	return []Member{
		{"type", Text(kind)},
		{"minimum", Dec(n.Min, n.Decimals)},
		{"maximum", Dec(n.Max, n.Decimals)},
		{"multipleOf", Dec(1, n.Decimals)},
	}
}

func (c Choice) schema() []Member {
	kind := "string"
	if len(c.Of) > 0 && c.Of[0].kind == NumberKind {
		kind = "integer"
	}
	return []Member{{"type", Text(kind)}, {"enum", List(c.Of...)}}
}

func (l ListOf) schema() []Member {
	members := []Member{
		{"type", Text("array")},
		{"items", Object(l.Item.schema()...)},
		{"minItems", Int(int64(l.MinItems))},
		{"maxItems", Int(int64(l.MaxItems))},
	}
	if l.Distinct {
		members = append(members, Member{"uniqueItems", Bool(true)})
	}
	return members
}

func (r Record) schema() []Member {
	properties := make([]Member, len(r.Fields))
	var required []Value
	for i := range r.Fields {
		field := &r.Fields[i]
		properties[i] = Member{field.Name, field.schema()}
		if field.Default.kind == Absent && !field.Optional {
			required = append(required, Text(field.Name))
		}
	}
	members := []Member{{"type", Text("object")}, {"properties", Object(properties...)}}
	if len(required) > 0 {
		members = append(members, Member{"required", List(required...)})
	}
	return append(members, Member{"additionalProperties", Bool(false)})
}

func (f *Field) schema() Value {
	var members []Member
	if f.Title != "" {
		members = append(members, Member{"title", Text(f.Title)})
	}
	if f.Description != "" {
		members = append(members, Member{"description", Text(f.Description)})
	}
	members = append(members, f.Shape.schema()...)
	if f.Default.kind != Absent {
		members = append(members, Member{"default", f.Default})
	}
	return Object(members...)
}
