package parse

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// Prefers reports whether the headers prefer a media type to JSON: Accept lists it with at
// least the weight of application/json, and before it if the weights are equal.
func Prefers(header http.Header, kind string) bool {
	weights, order := map[string]float64{}, []string{}
	for _, line := range header.Values("Accept") {
		for part := range strings.SplitSeq(line, ",") {
			name, parameters, err := mime.ParseMediaType(part)
			if err != nil {
				continue
			}
			weight := 1.0
			if q, given := parameters["q"]; given {
				if weight, err = strconv.ParseFloat(q, 64); err != nil {
					continue
				}
			}
			weights[name] = weight
			order = append(order, name)
		}
	}
	wanted, other := weights[kind], weights["application/json"]
	if wanted == other {
		for _, name := range order {
			if name == kind || name == "application/json" {
				return wanted > 0 && name == kind
			}
		}
	}
	return wanted > other
}

// AmountsAsText reports whether the headers request amounts as decimal strings:
// amounts=string is a parameter of a media type in Accept.
func AmountsAsText(header http.Header) bool {
	for _, line := range header.Values("Accept") {
		for part := range strings.SplitSeq(line, ",") {
			name, parameters, err := mime.ParseMediaType(part)
			if err == nil && parameters["amounts"] == "string" && (name == "application/json" || name == "text/event-stream") {
				return true
			}
		}
	}
	return false
}
