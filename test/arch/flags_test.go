package arch_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// compiling matches a recipe that compiles, ownFlags the flags that make Go compile
// everything again, and needsCgo what can't do without: the race detector and PKCS#11.
var (
	compiling = regexp.MustCompile(`(\$\(GO\)|\bgo) (build|run|test|vet|install)\b`)
	needsCgo  = regexp.MustCompile(` -race |\./adapters/hsm\b| -run FromAToken `)
	ownFlags  = regexp.MustCompile(`-(trimpath|gcflags|asmflags|buildmode|tags)\b|GOFLAGS=|CGO_ENABLED=`)
)

// apart returns the recipes that compile with flags of their own without need.
func apart(makefile string) (found []string) {
	for line := range strings.Lines(makefile) {
		if strings.HasPrefix(line, "\t") && compiling.MatchString(line) && ownFlags.MatchString(line) && !needsCgo.MatchString(line) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// TestTargetsCompileAlike checks that targets share their compiled packages, and that the tested
// code is the shipped code.
func TestTargetsCompileAlike(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	if found := apart(string(makefile)); len(found) > 0 {
		t.Errorf("these have build flags of their own: %q", found)
	}
	if found := apart("build:\n\tCGO_ENABLED=0 $(GO) build ./cmd/casino\n\tgo run -trimpath ./cmd/casino\n"); len(found) != 2 {
		t.Errorf("of two recipes with flags of their own %d are found", len(found))
	}
	image, err := os.ReadFile("../../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	if text := string(image); !strings.Contains(text, "RUN make build ") || compiling.MatchString(text) {
		t.Error("the image isn't built by make build")
	}
}
