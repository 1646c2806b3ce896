// Package screening has screeners for operators: countries of remote addresses from a MaxMind
// database file, lists of on-chain addresses in files, and a screener of the operator's own that
// is asked over HTTP.
//
// Files are read when they are opened, and again after they were replaced; a file that can't be
// read leaves its old content in force. Commands import the package for wiring.
package screening

import (
	"errors"
	"fmt"
	"slices"

	"github.com/casino-service/casino/domain/admission"
)

// ParsePoints returns the points of their names, each once.
func ParsePoints(names []string) ([]admission.Point, error) {
	var points []admission.Point
	var wrong []error
	for _, name := range names {
		switch at := admission.Point(name); {
		case !slices.Contains(admission.Points(), at):
			wrong = append(wrong, fmt.Errorf("%q is not a point: signin, play, deposit, withdrawal or payout", name))
		case slices.Contains(points, at):
			wrong = append(wrong, fmt.Errorf("%q is there twice", name))
		default:
			points = append(points, at)
		}
	}
	return points, errors.Join(wrong...)
}
