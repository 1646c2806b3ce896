package wire

import "reflect"

// AnswerType is the type whose members are what is kept with unique keys.
var AnswerType = reflect.TypeFor[answer]()
