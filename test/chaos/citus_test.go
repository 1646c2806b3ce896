package chaos_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/casino-service/casino/test/services"
)

// onCitus returns a deployment on a Citus cluster, which it connects to as its own role.
func onCitus(t testing.TB, workers int, redis string) (*deployment, *services.Citus) {
	t.Helper()
	cluster := services.NewCitus(t, workers)
	d := deploy(t, cluster.URL(), redis)
	noError(t, services.Distribute(t.Context(), cluster.URL()))
	d.environment[0] = "CASINO_DATABASE_URL=" + services.CitusService(cluster.URL())
	return d, cluster
}

func mortalOnCitus(t *testing.T) mortal {
	t.Helper()
	d, _ := onCitus(t, 2, services.Redis(t))
	return serveMortal{d.start()}
}

// TestCitusKilledUnderLoad kills the service, the coordinator and the workers under load.
func TestCitusKilledUnderLoad(t *testing.T) {
	t.Parallel()
	kills := number(t, "CASINO_TEST_CITUS_KILLS", 2)
	d, cluster := onCitus(t, 2, services.Redis(t))
	killUnderLoad(d, kills, 2*kills, cluster.Coordinator, cluster.Workers[0], cluster.Coordinator, cluster.Workers[1])
}

// TestCitusCrashUnderKills kills the instance that drives the shared crash, and the coordinator.
func TestCitusCrashUnderKills(t *testing.T) {
	t.Parallel()
	kills := number(t, "CASINO_TEST_CITUS_KILLS", 2)
	d, cluster := onCitus(t, 2, "none")
	killWithCrash(d, cluster.URL(), cluster.Coordinator, kills, 1)
}

// TestCitusGrowsUnderLoad adds a worker and moves half of the shards to it while players play.
func TestCitusGrowsUnderLoad(t *testing.T) {
	t.Parallel()
	d, cluster := onCitus(t, 1, services.Redis(t))
	db, err := sql.Open("pgx", cluster.URL())
	noError(t, err)
	defer func() { _ = db.Close() }()
	serving := d.start()
	guests := invite(t, 8, serving)
	stop := make(chan struct{})
	playing := guests.play(2, func(int) bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	})
	guests.progress(100)
	cluster.AddWorker(t)
	begin, answered, unknown := time.Now(), guests.answered.Load(), guests.unknown.Load()
	for _, statement := range []string{"SELECT citus_rebalance_start()", "SELECT citus_rebalance_wait()"} {
		if _, err := db.Exec(statement); err != nil {
			t.Error(err)
		}
	}
	t.Logf("rebalanced in %v: %d operations were answered meanwhile, %d requests were refused for a moment and repeated",
		time.Since(begin).Round(time.Second), guests.answered.Load()-answered, guests.unknown.Load()-unknown)
	guests.progress(100)
	close(stop)
	playing.Wait()
	moved := 0
	noError(t, db.QueryRow(`SELECT count(DISTINCT p.groupid) FROM pg_dist_placement AS p JOIN pg_dist_shard AS s ON s.shardid = p.shardid
		WHERE s.logicalrelid = 'players'::regclass`).Scan(&moved))
	if moved != 2 {
		t.Errorf("players lie on %d workers", moved)
	}
	guests.settle()
	serving.stop()
	d.audited()
}
