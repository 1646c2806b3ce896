package settings

import (
	"errors"
	"fmt"
)

// faults collects the faults of the settings, so that all are reported at once.
type faults struct{ all []error }

// addFault adds a fault of the setting.
func (f *faults) addFault(name, format string, args ...any) {
	f.all = append(f.all, fmt.Errorf("%s: %w", name, fmt.Errorf(format, args...)))
}

// addError adds an error as a fault of the setting, and each of several joined errors
// separately. It ignores nil.
func (f *faults) addError(name string, err error) {
	if err == nil {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, each := range joined.Unwrap() {
			f.addError(name, each)
		}
		return
	}
	f.addFault(name, "%w", err)
}

// err returns all faults joined, or nil.
func (f *faults) err() error { return errors.Join(f.all...) }
