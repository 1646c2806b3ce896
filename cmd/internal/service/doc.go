// Package service wires the casino: one fx module an adapter over the plain
// constructors, shared by `casino dev` and `casino serve`, and the profile of
// the latter.
//
// Only commands import it. What a profile must supply is listed in profile.go.
// It never imports the simulated chain or anything else that is simulated: what
// `casino serve` can reach is this package's imports, and a test holds that.
package service
