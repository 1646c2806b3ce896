package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/lmittmann/tint"
)

// dataFlags say where everything is kept.
type dataFlags struct {
	DataDir string `default:"./data" type:"path" placeholder:"DIR" help:"The folder with the database, the simulated chain, keys and wallets."`
}

// logFlags say what is logged, and how.
type logFlags struct {
	LogLevel  string `default:"info" enum:"debug,info,warn,error" help:"debug, info, warn or error."`
	LogFormat string `default:"text" enum:"text,json" help:"text for people, json for machines."`
}

// logger writes to the command's error stream.
func (f logFlags) logger(s streams) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.LogLevel)); err != nil {
		level = slog.LevelInfo // the enum of the flag leaves no other text
	}
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(s.err, &slog.HandlerOptions{Level: level}))
	}
	file, isFile := s.err.(*os.File)
	terminal := isFile && isTerminal(file)
	return slog.New(tint.NewTextHandler(s.err, &tint.Options{Level: level, NoColor: !terminal}))
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// devFlags are the settings of `casino dev`, each also an environment variable.
type devFlags struct {
	dataFlags           `embed:""`
	logFlags            `embed:""`
	HTTPAddr            string   `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where the API listens; loopback only."`
	LocalnetAddr        string   `default:"127.0.0.1:8899" placeholder:"HOST:PORT" help:"Where the simulated chain listens; loopback only."`
	BasePath            string   `default:"/casino" placeholder:"PATH" help:"The first segment of every path."`
	TokensFile          string   `type:"path" placeholder:"FILE" help:"A tokens file to use instead of the one made in the data folder."`
	CORSOrigins         []string `name:"cors-origins" placeholder:"ORIGIN" help:"Browser origins that may call the API."`
	TrustedProxies      []string `placeholder:"CIDR" help:"Proxies whose X-Forwarded-For is believed; never everybody."`
	WithdrawDestination string   `default:"any" enum:"any,own" help:"any: players name a destination; own: only the wallet they signed in with."`
}

// check returns every fault of the settings at once.
func (f devFlags) check() error {
	var faults []error
	refuse := func(name, format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s: %s", name, fmt.Sprintf(format, args...)))
	}
	for name, address := range map[string]string{"CASINO_HTTP_ADDR": f.HTTPAddr, "CASINO_LOCALNET_ADDR": f.LocalnetAddr} {
		if err := loopback(address); err != nil {
			refuse(name, "%v", err)
		}
	}
	if !strings.HasPrefix(f.BasePath, "/") || strings.Trim(f.BasePath, "/") == "" || strings.Count(f.BasePath, "/") != 1 {
		refuse("CASINO_BASE_PATH", "must be one path segment such as /casino")
	}
	for _, origin := range f.CORSOrigins {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" {
			refuse("CASINO_CORS_ORIGINS", "%q is no origin such as https://example.com", origin)
		}
	}
	if _, err := f.proxies(); err != nil {
		refuse("CASINO_TRUSTED_PROXIES", "%v", err)
	}
	return errors.Join(faults...)
}

// proxies are the trusted networks.
func (f devFlags) proxies() ([]netip.Prefix, error) {
	networks := make([]netip.Prefix, 0, len(f.TrustedProxies))
	for _, text := range f.TrustedProxies {
		network, err := netip.ParsePrefix(text)
		if address, plain := netip.ParseAddr(text); plain == nil {
			network, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("%q is no network such as 10.0.0.0/8", text)
		case network.Bits() == 0:
			return nil, fmt.Errorf("%q trusts everybody", text)
		}
		networks = append(networks, network.Masked())
	}
	return networks, nil
}

// loopback refuses addresses that other machines reach: the demo wallets' keys
// lie about in files.
func loopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q is no address such as 127.0.0.1:8080", address)
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not a loopback address; this command is for one machine alone", address)
	}
	return nil
}

type configCommand struct{ devFlags }

// Run prints the settings in force as environment variables. None of them is a
// secret: those lie in files under the data folder.
func (c configCommand) Run(parsed *kong.Context, s streams) error {
	for _, flag := range parsed.Flags() {
		if len(flag.Envs) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(s.out, "%s=%s\n", flag.Envs[0], settingText(flag.Target)); err != nil {
			return err
		}
	}
	if err := c.check(); err != nil {
		return usageError{err}
	}
	return nil
}

func settingText(value reflect.Value) string {
	if texts, ok := value.Interface().([]string); ok {
		return strings.Join(texts, ",")
	}
	return fmt.Sprint(value.Interface())
}
