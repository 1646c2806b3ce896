package settings

import (
	"crypto/subtle"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/jwttoken"
	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/solana/remotesigner"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// MainnetGenesis is the genesis hash of Solana's mainnet-beta.
const MainnetGenesis = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"

// LameDuckMax is the maximum delay of a stop.
const LameDuckMax = 5 * time.Minute

// NoRedis as CASINO_REDIS_URL states that this is the only instance.
const NoRedis = "none"

// Serve are the settings of `casino serve`, each also an environment variable.
type Serve struct {
	Log       `embed:""`
	API       `embed:"" set:"manual=false" set:"pages=false" set:"solvency=0s" set:"crash=off" set:"betting=10s" set:"delay=32" set:"length=1000000"` //nolint:staticcheck // kong takes one for each variable
	Database  `embed:""`
	Provider  `embed:""`
	Screening `embed:""`

	HTTPAddr   string        `default:":8080" placeholder:"HOST:PORT" help:"Where the API listens."`
	OpsAddr    string        `default:"127.0.0.1:9090" placeholder:"HOST:PORT" help:"Where /livez, /readyz, /metrics and pprof listen; not for the public."`
	LameDuck   time.Duration `default:"0s" placeholder:"TIME" help:"How long the API continues after a request to stop, while /readyz already fails, so that balancers stop sending requests; at most 5m."`
	TokensFile string        `type:"path" placeholder:"FILE" help:"The tokens with their limits, as JSON."`

	StateDir string `type:"path" placeholder:"FOLDER" help:"A folder of this machine, apart from the database, that keeps what proves that the database went back to an older copy. Instances on one machine may share it."`

	RedisURL     Secret `placeholder:"URL" help:"redis://… or rediss://…, which instances share their limits through; none for a single instance."`
	RedisURLFile string `type:"path" placeholder:"FILE" help:"A file with Redis's URL."`

	SolanaRPCURLs     []Secret `name:"solana-rpc-urls" placeholder:"URL" help:"JSON-RPC URLs of Solana nodes, the preferred one first."`
	SolanaRPCURLsFile string   `name:"solana-rpc-urls-file" type:"path" placeholder:"FILE" help:"A file with them, one a line."`
	SolanaSingleNode  bool     `help:"Trust a single node. With two or more nodes, two must agree before money is booked."`
	SolanaGenesis     string   `default:"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d" placeholder:"HASH" help:"The genesis hash the chain must have; mainnet's unless another is named."`
	TreasuryKeypair   string   `type:"path" placeholder:"FILE" help:"The treasury's keypair, a file of the Solana CLI that its owner alone may read."`
	TreasuryAddress   string   `placeholder:"ADDRESS" help:"The treasury's address. Without a keypair or a signer the service watches it and signs no payout."`

	TreasurySignerURL       string `name:"treasury-signer-url" placeholder:"URL" help:"A remote signer that has the treasury's key, such as casino signer: https, or http on this machine. Needs the treasury's address."`
	TreasurySignerToken     Secret `placeholder:"TOKEN" help:"The bearer token of the signer, at least 32 characters."`
	TreasurySignerTokenFile string `type:"path" placeholder:"FILE" help:"A file with it."`

	JWTKeys      []Secret `name:"jwt-keys" placeholder:"KID:SECRET" help:"Keys of session tokens, newest first."`
	JWTKeysFile  string   `name:"jwt-keys-file" type:"path" placeholder:"FILE" help:"A file with them, one a line."`
	SeedKeys     []Secret `placeholder:"KID:SECRET" help:"Keys that server seeds are sealed with, newest first. Losing one loses every unrevealed seed sealed with it."`
	SeedKeysFile string   `type:"path" placeholder:"FILE" help:"A file with them, one a line."`

	Checkpoints `embed:""`

	ReceiptKeys     []Secret `placeholder:"KID:SECRET" help:"Keys for signing receipts, newest first: Ed25519 seeds of exactly 32 bytes, used for nothing else. Without them there are no receipts."`
	ReceiptKeysFile string   `type:"path" placeholder:"FILE" help:"A file with them, one a line."`
	LogWitnesses    []string `placeholder:"WITNESS" help:"Witnesses that cosign the public log (C2SP tlog-witness), each as its URL, a blank, and its verifier key. Needs receipt keys."`

	AnchorKeypair string        `type:"path" placeholder:"FILE" help:"A keypair of its own, with a little SOL, that writes the public log's checkpoints on chain, a file of the Solana CLI. Needs receipt keys; without it nothing is written."`
	AnchorPeriod  time.Duration `default:"1h" help:"The time between two such transactions, 1m to 24h."`

	SuperadminWallets []string `placeholder:"WALLET" help:"The first superadmins; used only while no wallet has a role."`
}

// Plan is the result of the settings, with every file read and every value parsed.
type Plan struct {
	Database   Location
	StateDir   string
	Redis      Secret   // empty for a single instance
	RPC        []Secret // URLs may have keys
	Genesis    string
	Treasury   solana.Signer
	Terms      []token.Terms
	Sessions   jwttoken.Keyring
	Seeds      sealer.Keyring
	Statements sealer.StatementSigner
	Receipts   ports.ReceiptSigner // nil without keys
	Witnesses  []ports.LogWitness
	Anchor     solana.Signer // nil without a keypair
	// AnchorPeriod is the time between two anchors.
	AnchorPeriod time.Duration
	Superadmins  []wallet.Address
	Provider     ProviderPlan
	Screening    ScreeningPlan
}

// Plan reads everything that the settings name, or returns all their faults.
func (s Serve) Plan() (Plan, error) {
	var found faults
	s.checkSettings(&found)
	plan := Plan{Database: s.databaseLocation(&found), Genesis: s.SolanaGenesis}
	plan.StateDir = s.stateDir(plan.Database, &found)
	plan.Redis = s.redisURL(plan.Database, &found)
	plan.RPC = s.rpcURLs(&found)
	plan.Treasury = s.treasurySigner(&found)
	plan.Terms = s.tokenTerms(&found)
	plan.Provider = s.Provider.planProvider(plan.Terms, &found)
	plan.Screening = s.Screening.planScreening(&found)
	plan.Sessions = s.readKeyring("CASINO_JWT_KEYS", s.JWTKeys, s.JWTKeysFile, &found)
	plan.Seeds = s.readKeyring("CASINO_SEED_KEYS", s.SeedKeys, s.SeedKeysFile, &found)
	if sharesSecret(plan.Sessions, plan.Seeds) {
		found.addFault("CASINO_SEED_KEYS", "shares a secret with CASINO_JWT_KEYS: each needs its own")
	}
	var checkpoints sealer.Keyring
	plan.Statements, checkpoints = s.statementSigner(plan.Sessions, plan.Seeds, &found)
	plan.Receipts = s.receiptSigner([]sealer.Keyring{plan.Sessions, plan.Seeds, checkpoints}, &found)
	plan.Witnesses = s.logWitnesses(plan.Receipts != nil, &found)
	plan.Anchor, plan.AnchorPeriod = s.anchorSigner(plan, &found), s.AnchorPeriod
	for _, text := range s.SuperadminWallets {
		address, err := wallet.Parse(strings.TrimSpace(text))
		if err != nil {
			found.addFault("CASINO_SUPERADMIN_WALLETS", "%q is not a wallet", text)
		}
		plan.Superadmins = append(plan.Superadmins, address)
	}
	return plan, found.err()
}

func (s Serve) checkSettings(found *faults) {
	s.API.checkSettings(found)
	found.addError("CASINO_HTTP_ADDR", listenAddress(s.HTTPAddr))
	found.addError("CASINO_OPS_ADDR", listenAddress(s.OpsAddr))
	if s.HTTPAddr == s.OpsAddr && !strings.HasSuffix(s.HTTPAddr, ":0") {
		found.addFault("CASINO_OPS_ADDR", "is the API's own address: metrics and pprof are not for the public")
	}
	if s.LameDuck < 0 || s.LameDuck > LameDuckMax {
		found.addFault("CASINO_LAME_DUCK", "must be from 0s to %s: a supervisor that stops the service must wait that long and 15s more", LameDuckMax)
	}
	if _, err := money.ParseToken(s.SolanaGenesis); err != nil { // same format: base58 of 32 bytes
		found.addFault("CASINO_SOLANA_GENESIS", "must be a genesis hash, base58 of 32 bytes")
	}
}

// stateDir refuses a folder that would be restored together with the database: that of an
// SQLite file, because people restore whole folders, and folders below it.
func (s Serve) stateDir(database Location, found *faults) string {
	const name = "CASINO_STATE_DIR"
	if s.StateDir == "" {
		found.addFault(name, "is missing: a folder of this machine, apart from the database and its backups, such as /var/lib/casino")
		return ""
	}
	if database.Engine == SQLite {
		data := resolvePath(filepath.Dir(database.Reveal()))
		if inside, err := filepath.Rel(data, resolvePath(s.StateDir)); err == nil && inside != ".." && !strings.HasPrefix(inside, ".."+string(filepath.Separator)) {
			found.addFault(name, "lies in the folder of the database, with which it would be restored: choose another one")
		}
	}
	return s.StateDir
}

// resolvePath resolves symbolic links in the existing part of a path.
func resolvePath(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		return real
	}
	if parent := filepath.Dir(absolute); parent != absolute {
		return filepath.Join(resolvePath(parent), filepath.Base(absolute))
	}
	return absolute
}

func (s Serve) redisURL(database Location, found *faults) Secret {
	const name = "CASINO_REDIS_URL"
	text, err := Single(s.RedisURL, s.RedisURLFile)
	switch {
	case err != nil:
		found.addError(name, err)
	case text == "" && database.Engine == Postgres:
		found.addFault(name, "is missing: two instances without it would each count requests alone; set %q for a single instance", NoRedis)
	case text == "" || text == NoRedis:
	default:
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" || u.Host == "" {
			found.addFault(name, "must be of the form redis://user:password@host:6379/0")
		}
		return Secret(text)
	}
	return ""
}

func (s Serve) rpcURLs(found *faults) []Secret {
	const name = "CASINO_SOLANA_RPC_URLS"
	texts, err := oneOf(s.SolanaRPCURLs, s.SolanaRPCURLsFile)
	found.addError(name, err)
	if err == nil && len(texts) == 0 {
		found.addFault(name, "is missing: at least one node's URL is needed (or name a file with it in %s_FILE)", name)
	}
	var urls []Secret
	if len(texts) == 1 && !s.SolanaSingleNode {
		found.addFault(name, "names one node, which would be trusted alone: name a second one of another provider, or set CASINO_SOLANA_SINGLE_NODE=true")
	}
	for i, text := range texts {
		urls = append(urls, Secret(text))
		if u, err := url.Parse(text); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			found.addFault(name, "entry %d must be of the form https://host", i+1) // not quoted: it may have a key
		}
	}
	return urls
}

func (s Serve) tokenTerms(found *faults) []token.Terms {
	const name = "CASINO_TOKENS_FILE"
	if s.TokensFile == "" {
		found.addFault(name, "is missing: the tokens and their limits are the operator's choice")
		return nil
	}
	terms, err := ReadTokensFile(s.TokensFile, true)
	found.addError(name, err)
	return terms
}

// readKeyring reads keys. It refuses an empty list and keys made by `casino dev`.
func (s Serve) readKeyring(name string, given []Secret, path string, found *faults) jwttoken.Keyring {
	entries, err := oneOf(given, path)
	if err != nil {
		found.addError(name, err)
		return jwttoken.Keyring{}
	}
	if len(entries) == 0 {
		found.addFault(name, "is missing: kid:secret with a secret of at least 32 random bytes, such as 2026-01:$(openssl rand -hex 32) (or name a file with it in %s_FILE)", name)
		return jwttoken.Keyring{}
	}
	ring, err := jwttoken.ParseKeys(entries)
	found.addError(name, err)
	if slices.Contains(ring.IDs(), "dev") {
		found.addFault(name, "holds a key that casino dev made")
	}
	return ring
}

// Seeds are the keys of server seeds, for commands that can work without them.
type Seeds struct {
	SeedKeys     []Secret `placeholder:"KID:SECRET" help:"The keys that server seeds and the service's own rows are sealed with, newest first: an audit opens every seed and checks every seal with them, a change of roles is sealed anew."`
	SeedKeysFile string   `type:"path" placeholder:"FILE" help:"A file with them, one a line."`
}

// State is the state folder of serve, for commands that read and write it.
type State struct {
	StateDir string `type:"path" placeholder:"FOLDER" help:"The folder in which casino serve keeps what proves that the database went back."`
}

// Ring returns the keys, and whether any were given.
func (s Seeds) Ring() (ring sealer.Keyring, given bool, err error) {
	if len(s.SeedKeys) == 0 && s.SeedKeysFile == "" {
		return sealer.Keyring{}, false, nil
	}
	var found faults
	ring = Serve{}.readKeyring("CASINO_SEED_KEYS", s.SeedKeys, s.SeedKeysFile, &found)
	return ring, true, found.err()
}

func sharesSecret(a jwttoken.Keyring, b sealer.Keyring) bool {
	for _, left := range a.IDs() {
		for _, right := range b.IDs() {
			one, _ := a.Lookup(left)
			other, _ := b.Lookup(right)
			if subtle.ConstantTimeCompare(one.Secret(), other.Secret()) == 1 {
				return true
			}
		}
	}
	return false
}

func (s Serve) treasurySigner(found *faults) solana.Signer {
	const keypair, address = "CASINO_TREASURY_KEYPAIR", "CASINO_TREASURY_ADDRESS"
	var watched wallet.Address
	if s.TreasuryAddress != "" {
		var err error
		if watched, err = wallet.Parse(s.TreasuryAddress); err != nil {
			found.addFault(address, "%q is not an address", s.TreasuryAddress)
			return nil
		}
	}
	if s.TreasurySignerURL != "" {
		return s.remoteSigner(watched, found)
	}
	switch {
	case s.TreasuryKeypair == "" && watched == "":
		found.addFault(keypair, "is missing, and so is %s: deposits need a treasury", address)
		return nil
	case s.TreasuryKeypair == "":
		return solana.WatchOnly(watched)
	}
	pair, err := solana.ReadKeypair(s.TreasuryKeypair)
	if err != nil {
		found.addError(keypair, err)
		return nil
	}
	if watched != "" && watched != pair.Address() {
		found.addFault(address, "is not the keypair's address, which is %s", pair.Address())
	}
	return pair
}

// remoteSigner returns a treasury with its key on another machine.
func (s Serve) remoteSigner(treasury wallet.Address, found *faults) solana.Signer {
	const url, token = "CASINO_TREASURY_SIGNER_URL", "CASINO_TREASURY_SIGNER_TOKEN"
	if s.TreasuryKeypair != "" {
		found.addFault(url, "and CASINO_TREASURY_KEYPAIR exclude each other: the key is in one place")
	}
	if treasury == "" {
		found.addFault(url, "needs CASINO_TREASURY_ADDRESS, the treasury that it signs for")
		return nil
	}
	bearer, err := Single(s.TreasurySignerToken, s.TreasurySignerTokenFile)
	if err != nil {
		found.addError(token, err)
		return nil
	}
	client, err := remotesigner.NewClient(remotesigner.ClientConfig{URL: s.TreasurySignerURL, Token: bearer, Treasury: treasury})
	if err != nil {
		found.addError(url, err)
		return nil
	}
	return client
}
