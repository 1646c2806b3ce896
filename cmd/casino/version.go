package main

import (
	"fmt"
	"runtime"
)

// version is set by the linker.
var version = "development"

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(s streams) error {
	_, err := fmt.Fprintf(s.out, "casino %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
