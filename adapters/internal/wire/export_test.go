package wire

import "reflect"

// AnswerType is the type of the JSON stored with unique keys.
var AnswerType = reflect.TypeFor[answer]()
