package recovery_test

import (
	"testing"

	"github.com/casino-service/casino/test/apptest"
)

// TestVersionsOfRolesAreKeptWithTheHeads follows a version through processes and
// witnesses.
func TestVersionsOfRolesAreKeptWithTheHeads(t *testing.T) {
	t.Parallel()
	kept := func(w *awayWitness) int64 {
		all, err := w.Witness.Kept(t.Context())
		if err != nil || len(all.Records) == 0 {
			return 0
		}
		return all.Records[0].RolesVersion
	}
	t.Run("every witness keeps it, and another process reads it", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.starts()
		w.RoleVersions().Keep(7)
		w.RoleVersions().Keep(6)
		apptest.Equal(t, "kept", [2]int64{kept(w.one), kept(w.two)}, [2]int64{7, 7})
		w.Restoration = w.process()
		apptest.Equal(t, "before the first comparison", w.RoleVersions().Latest(), 0)
		w.starts()
		apptest.Equal(t, "after it", w.RoleVersions().Latest(), 7)
	})
	t.Run("what is met before the first comparison is kept by it", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.RoleVersions().Keep(3)
		w.starts()
		apptest.Equal(t, "kept", kept(w.one), 3)
	})
	t.Run("a process learns of it that never met it", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.starts()
		beside := w.process()
		if err := beside.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		beside.RoleVersions().Keep(5)
		w.steps()
		apptest.Equal(t, "the latest", w.RoleVersions().Latest(), 5)
	})
	t.Run("a witness that lost it is given it again", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.starts()
		w.RoleVersions().Keep(4)
		w.loseWitnesses()
		w.steps()
		apptest.Equal(t, "kept", [2]int64{kept(w.one), kept(w.two)}, [2]int64{4, 4})
	})
	t.Run("while the database counts as restored none is kept", func(t *testing.T) {
		t.Parallel()
		w := newWatch(t)
		w.starts()
		w.seals()
		w.seals()
		w.RoleVersions().Keep(4)
		w.blocks = w.blocks[:1]
		w.steps()
		w.open(false)
		w.RoleVersions().Keep(9)
		apptest.Equal(t, "kept", [2]int64{kept(w.one), w.RoleVersions().Latest()}, [2]int64{4, 4})
		known, err := w.Known(t.Context())
		if err != nil || known.RolesVersion != 4 {
			t.Errorf("a recovery knows %+v, %v", known, err)
		}
	})
}
