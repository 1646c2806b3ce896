// Package service wires the casino with fx: one module for each adapter over the plain
// constructors, shared by `casino dev` and `casino serve`, and the profile of the latter.
//
// Only commands import it. profile.go lists what a profile must supply. The package imports
// nothing simulated; a test ensures this, because `casino serve` can reach all of the
// package's imports.
package service
