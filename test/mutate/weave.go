package main

import (
	"fmt"
	"slices"
	"strings"
)

// weave applies the edits, which come in the order of the walk: an outer one
// before those inside of it.
func weave(source []byte, edits []edit) []byte {
	opens, closes, replaced := map[int]string{}, map[int]string{}, map[int]edit{}
	offsets := []int{len(source)}
	for _, e := range edits {
		opens[e.from] += e.prefix
		closes[e.to] = e.suffix + closes[e.to]
		offsets = append(offsets, e.from, e.to)
		if e.tokenAt > 0 {
			replaced[e.tokenAt] = e
			offsets = append(offsets, e.tokenAt)
		}
	}
	slices.Sort(offsets)
	var out strings.Builder
	at := 0
	for _, offset := range slices.Compact(offsets) {
		if offset > at {
			out.Write(source[at:offset])
			at = offset
		}
		out.WriteString(closes[offset])
		out.WriteString(opens[offset])
		if e, ok := replaced[offset]; ok {
			out.WriteString(e.replacement)
			at += e.tokenLen
		}
	}
	return []byte(out.String())
}

// Variable names the environment variable that chooses a mutant.
const Variable = "CASINO_MUTANT"

// support returns the file that every changed package gets: the choice, read
// once, and the operators that need a function.
func support(pkg string) []byte {
	return fmt.Appendf(nil, `package %s

import (
	mutantErrors "errors"
	mutantOS "os"
	mutantStrconv "strconv"
)

var mutantChosen, _ = mutantStrconv.Atoi(mutantOS.Getenv(%q))

var errMutant = mutantErrors.New("mutant")

func mutantOn(id int) bool { return id == mutantChosen }

func mutantIn(first, last int) bool { return first <= mutantChosen && mutantChosen <= last }

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type mutantNumber interface{ mutantInteger | ~float32 | ~float64 }

func mutantAdd[T mutantNumber](id int, a, b T) T {
	if mutantOn(id) {
		return a - b
	}
	return a + b
}

func mutantSub[T mutantNumber](id int, a, b T) T {
	if mutantOn(id) {
		return a + b
	}
	return a - b
}

func mutantMul[T mutantNumber](id int, a, b T) T {
	if mutantOn(id) {
		return a / b
	}
	return a * b
}

func mutantQuo[T mutantNumber](id int, a, b T) T {
	if mutantOn(id) {
		return a * b
	}
	return a / b
}

func mutantRem[T mutantInteger](id int, a, b T) T {
	if mutantOn(id) {
		return a / b
	}
	return a %% b
}

func mutantAnd[T mutantInteger](id int, a, b T) T {
	if mutantOn(id) {
		return a | b
	}
	return a & b
}

func mutantOr[T mutantInteger](id int, a, b T) T {
	if mutantOn(id) {
		return a & b
	}
	return a | b
}

func mutantXor[T mutantInteger](id int, a, b T) T {
	if mutantOn(id) {
		return a & b
	}
	return a ^ b
}

func mutantShl[T, N mutantInteger](id int, a T, b N) T {
	if mutantOn(id) {
		return a >> b
	}
	return a << b
}

func mutantShr[T, N mutantInteger](id int, a T, b N) T {
	if mutantOn(id) {
		return a << b
	}
	return a >> b
}

func mutantInt[T mutantInteger](id int, v T) T {
	switch mutantChosen {
	case id:
		return v + 1
	case id + 1:
		return v - 1
	}
	return v
}

func mutantOther[T ~string](id int, v T) T {
	if mutantOn(id) {
		return v + "\x00"
	}
	return v
}

func mutantZero[T any](id int, v T) T {
	if mutantOn(id) {
		var zero T
		return zero
	}
	return v
}
`, pkg, Variable)
}
