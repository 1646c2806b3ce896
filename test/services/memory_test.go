package services

import (
	"path/filepath"
	"testing"
)

func TestAFolderHasRoomOrNone(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if got := roomyFolder(folder, 1); got != folder {
		t.Errorf("%q has no byte", folder)
	}
	if got := roomyFolder(folder, 1<<62); got != "" {
		t.Errorf("%q has four exabytes", got)
	}
	if got := roomyFolder(filepath.Join(folder, "missing"), 1); got != "" {
		t.Errorf("%q is there", got)
	}
}
