package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/cmd/internal/settings"
)

// apiFlags say where the API is. What isn't given is as `casino dev` wrote it down in its
// folder when it was ready, and else where it listens by default.
type apiFlags struct {
	dataFlags
	BaseURL  string `name:"base-url" placeholder:"URL" help:"Where the API is; where the casino dev of the folder serves it unless given."`
	HTTPAddr string `placeholder:"HOST:PORT" help:"The address of the API, in place of a whole URL."`
	BasePath string `placeholder:"PATH" help:"What every path begins with, in place of a whole URL."`
}

// localnetFlags say where the simulated chain is.
type localnetFlags struct {
	RPCURL       string `name:"rpc-url" placeholder:"URL" help:"Where the simulated chain is; where the casino dev of the folder serves it unless given."`
	LocalnetAddr string `placeholder:"HOST:PORT" help:"The address of the simulated chain, in place of a whole URL."`
}

// httpAddrDefault is where casino dev's API listens unless another address is given;
// devRPC is the simulated chain's.
const httpAddrDefault = "127.0.0.1:8080"

// base returns the API's base URL.
func (f apiFlags) base() (string, error) {
	if f.BaseURL != "" {
		return f.BaseURL, nil
	}
	if f.HTTPAddr == "" && f.BasePath == "" {
		if kept, err := dataDir(f.DataDir).running(); err != nil || kept.BaseURL != "" {
			return kept.BaseURL, err
		}
	}
	address, err := reachable("CASINO_HTTP_ADDR", cmp.Or(f.HTTPAddr, httpAddrDefault))
	return "http://" + address + strings.TrimSuffix(cmp.Or(f.BasePath, httpapi.BasePathDefault), "/"), err
}

// node returns the URL of the simulated chain.
func (f localnetFlags) node(folder string) (string, error) {
	switch {
	case f.RPCURL != "":
		return f.RPCURL, nil
	case f.LocalnetAddr == "":
		return dataDir(folder).node()
	}
	address, err := reachable("CASINO_LOCALNET_ADDR", f.LocalnetAddr)
	return "http://" + address, err
}

// node is the chain of the casino dev that runs in the folder, or where it is by default.
func (d dataDir) node() (string, error) {
	kept, err := d.running()
	return cmp.Or(kept.RPCURL, devRPC), err
}

// reachable is an address that something listens on as a client names it.
func reachable(setting, address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", usageError{fmt.Errorf("%s: %q is not an address such as %s", setting, address, httpAddrDefault)}
	}
	return net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port), nil
}

// checkBaseURL refuses to send a session over a network in the clear.
func checkBaseURL(text string) error {
	base, err := url.Parse(text)
	if err != nil || base.Host == "" || base.Scheme != "https" && (base.Scheme != "http" || !onThisMachine(base)) {
		return errors.New("--base-url: must be of the form https://host/casino, or http on this machine")
	}
	return nil
}

func onThisMachine(u *url.URL) bool {
	return settings.Loopback(net.JoinHostPort(u.Hostname(), "0")) == nil
}

// runningFile is where casino dev writes down where it serves, while it does.
func (d dataDir) runningFile() string { return d.file("running.json") }

// running is what casino dev wrote down; nothing when it doesn't run.
func (d dataDir) running() (readyLine, error) {
	raw, err := os.ReadFile(d.runningFile())
	if errors.Is(err, fs.ErrNotExist) {
		return readyLine{}, nil
	}
	var line readyLine
	if err == nil {
		err = json.Unmarshal(raw, &line)
	}
	if err != nil {
		return readyLine{}, fmt.Errorf("%s, in which casino dev writes where it serves: %w", d.runningFile(), err)
	}
	return line, nil
}

// noteRunning writes it down. A folder has one casino dev at a time, so what another
// process left there is of one that was killed.
func (d dataDir) noteRunning(line readyLine) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	return os.WriteFile(d.runningFile(), append(text, '\n'), 0o600)
}

func (d dataDir) noteStopped() error {
	if err := os.Remove(d.runningFile()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// ourTreasury returns the treasury of the casino at a URL, and refuses any other casino
// than the folder's: demo and pay sign with the folder's wallets.
func (d dataDir) ourTreasury(ctx context.Context, casino *client.Client, base string) (string, error) {
	raw, err := os.ReadFile(d.treasury())
	if errors.Is(err, fs.ErrNotExist) {
		return "", usageError{fmt.Errorf("there is no casino in %s: start casino dev there, or name its folder with --data-dir", string(d))}
	}
	if err != nil {
		return "", err
	}
	key, err := parseKeypair(d.treasury(), raw)
	if err != nil {
		return "", err
	}
	found, err := casino.WalletAddress(ctx)
	if err != nil {
		return "", fmt.Errorf("asking the casino at %s: %w", base, err)
	}
	if ours := publicKey(key).String(); found != ours {
		return "", usageError{fmt.Errorf("the casino at %s is not the one in %s: its treasury is %s, the folder's is %s. "+
			"Name its folder with --data-dir, or the folder's casino with --base-url", base, string(d), found, ours)}
	}
	return found, nil
}
