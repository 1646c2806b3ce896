package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/ratelimit/redis"
	"github.com/casino-service/casino/adapters/solana/remotesigner"
	"github.com/casino-service/casino/cmd/internal/service"
)

// infoField returns a field of Redis's INFO.
func infoField(info, name string) string {
	for line := range strings.Lines(info) {
		if value, found := strings.CutPrefix(strings.TrimSpace(line), name+":"); found {
			return value
		}
	}
	return "unknown"
}

func (d *doctor) checkRedis(ctx context.Context) []Finding {
	const name = "redis"
	if d.plan.Redis == "" {
		return skipped(name, "none is named", "Name one in CASINO_REDIS_URL before you start a second instance.")
	}
	client, err := redis.Open(d.plan.Redis.Reveal(), d.CheckTimeout)
	if err != nil {
		return fault(name, err, "Correct CASINO_REDIS_URL.")
	}
	defer func() { _ = client.Close() }() // it was only read
	asked := d.Machine.Now()
	info, err := client.Info(ctx).Result()
	if err != nil {
		return fault(name, err, "Start Redis, or correct CASINO_REDIS_URL: without it each instance counts requests alone.")
	}
	policy := infoField(info, "maxmemory_policy")
	found := fmt.Sprintf("%s answers in %s, maxmemory_policy %s, uses %s of %s bytes (0: no limit)", infoField(info, "redis_version"),
		d.Machine.Now().Sub(asked).Round(time.Millisecond), policy, infoField(info, "used_memory"), infoField(info, "maxmemory"))
	if policy != "noeviction" {
		return warning(name, found, "Set maxmemory-policy noeviction in redis.conf: eviction drops limits, and the kept heads in casino:witness.")
	}
	return ok(name, "%s", found)
}

// keyFiles returns the files of secrets by their settings.
func (d *doctor) keyFiles() []struct{ setting, path string } {
	return []struct{ setting, path string }{
		{"CASINO_DATABASE_URL_FILE", d.DatabaseURLFile}, {"CASINO_REDIS_URL_FILE", d.RedisURLFile},
		{"CASINO_SOLANA_RPC_URLS_FILE", d.SolanaRPCURLsFile}, {"CASINO_TREASURY_SIGNER_TOKEN_FILE", d.TreasurySignerTokenFile},
		{"CASINO_JWT_KEYS_FILE", d.JWTKeysFile}, {"CASINO_SEED_KEYS_FILE", d.SeedKeysFile},
		{"CASINO_CHECKPOINT_KEYS_FILE", d.CheckpointKeysFile}, {"CASINO_RECEIPT_KEYS_FILE", d.ReceiptKeysFile},
		{"CASINO_TREASURY_KEYPAIR", d.TreasuryKeypair}, {"CASINO_ANCHOR_KEYPAIR", d.AnchorKeypair},
	}
}

// checkKeyFiles checks that this user can read each file of secrets, and nobody else.
func (d *doctor) checkKeyFiles(context.Context) []Finding {
	const name = "keys"
	var found []Finding
	files := 0
	for _, f := range d.keyFiles() {
		if f.path == "" {
			continue
		}
		files++
		opened, err := os.Open(f.path)
		if err != nil {
			found = append(found, fault(name, fmt.Errorf("%s: %w", f.setting, err), "Make the file readable for the service's user, or correct "+f.setting+".")...)
			continue
		}
		info, err := opened.Stat()
		if err := errors.Join(err, opened.Close()); err != nil {
			found = append(found, fault(name, fmt.Errorf("%s: %w", f.setting, err), "Repair the file system.")...)
		} else if mode := info.Mode().Perm(); mode&0o077 != 0 {
			found = append(found, warning(name, fmt.Sprintf("%s: others may read %s (mode %04o)", f.setting, f.path, mode), "Run chmod 600 "+f.path+".")...)
		}
	}
	if len(found) > 0 {
		return found
	}
	if len(d.plan.Sessions.IDs())+len(d.plan.Seeds.IDs()) == 0 {
		return skipped(name, "no keys can be read from the settings", "Set CASINO_JWT_KEYS and CASINO_SEED_KEYS, which casino keygen prints.")
	}
	ids := fmt.Sprintf("sessions %s; seeds %s", strings.Join(d.plan.Sessions.IDs(), ", "), strings.Join(d.plan.Seeds.IDs(), ", "))
	return ok(name, "%d files are readable for this user alone; ids: %s", files, ids)
}

// checkTreasury checks the signer of payouts. That a keypair is of the stated treasury is
// checked with the settings.
func (d *doctor) checkTreasury(ctx context.Context) []Finding {
	const name = "treasury"
	if d.plan.Treasury == nil {
		return skipped(name, "no treasury can be read from the settings", "Set CASINO_TREASURY_KEYPAIR, or CASINO_TREASURY_ADDRESS with CASINO_TREASURY_SIGNER_URL.")
	}
	address := d.plan.Treasury.Address()
	switch remote, is := d.plan.Treasury.(*remotesigner.Client); {
	case is:
		if err := remote.Probe(ctx); err != nil {
			return fault(name, err, "Start the signer, or correct CASINO_TREASURY_SIGNER_URL and CASINO_TREASURY_SIGNER_TOKEN.")
		}
		return ok(name, "the signer answers and accepts the token; each of its signatures is verified for %s", address)
	case d.TreasuryKeypair == "":
		return warning(name, fmt.Sprintf("%s is only watched: no payout is signed", address), "Set CASINO_TREASURY_KEYPAIR or CASINO_TREASURY_SIGNER_URL.")
	}
	return ok(name, "the keypair is of %s", address)
}

func (d *doctor) checkProvider(ctx context.Context) []Finding {
	const name = "provider"
	connected, err := service.ConnectProvider(d.plan.Provider)
	switch {
	case err != nil:
		return fault(name, err, "Correct CASINO_PROVIDER_URL and its token.")
	case connected.Hub88 != nil:
		return skipped(name, "Hub88's protocol has no call that only checks", "Run casino provider sync, which reads its games.")
	case connected.Probe == nil:
		return skipped(name, "none is named", "Set CASINO_PROVIDER_URL for third-party games.")
	}
	if err := connected.Probe(ctx); err != nil {
		return fault(name, err, "Ask the provider, or correct CASINO_PROVIDER_URL, CASINO_PROVIDER_AGENT_CODE and CASINO_PROVIDER_AGENT_TOKEN.")
	}
	return ok(name, "it answers for the agent %s", d.plan.Provider.AgentCode)
}

// The least free space of a folder, in bytes.
const (
	spaceFault   = 256 << 20
	spaceWarning = 2 << 30
)

// checkDisk checks the folders that the service and its audits write to. Logs go to stderr,
// whose reader keeps them.
func (d *doctor) checkDisk(context.Context) (found []Finding) {
	folders := []struct{ name, path string }{{"state folder", d.plan.StateDir}, {"temporary", os.TempDir()}}
	if path := d.plan.Database.Reveal(); d.plan.Database.Engine == "sqlite" {
		folders = append(folders, struct{ name, path string }{"database folder", filepath.Dir(path)})
	}
	for _, f := range folders {
		if f.path == "" {
			found = append(found, skipped("disk", "no "+f.name+" is named", "Set CASINO_STATE_DIR.")...)
			continue
		}
		at := existing(f.path)
		free, writable, err := d.Machine.DiskSpace(at)
		text := fmt.Sprintf("%s %s: %d MB free", f.name, f.path, free>>20)
		switch {
		case err != nil:
			found = append(found, fault("disk", fmt.Errorf("%s: %w", f.name, err), "Repair the file system of "+f.path+".")...)
		case !writable:
			found = append(found, fault("disk", fmt.Errorf("%s %s: this user may not write to %s", f.name, f.path, at), "Give the folder to the service's user (chown), or run casino doctor as that user.")...)
		case free < spaceFault:
			found = append(found, fault("disk", errors.New(text), "Free space on the volume of "+f.path+", or enlarge it: without space commits fail.")...)
		case free < spaceWarning:
			found = append(found, warning("disk", text, "Enlarge the volume of "+f.path+" soon.")...)
		default:
			found = append(found, ok("disk", "%s", text)...)
		}
	}
	return found
}

// existing returns the path, or the folder above it that exists.
func existing(path string) string {
	for {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}
