package dev

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
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/settings"
)

// APIFlags locate the API. Values that aren't given come from the file that `casino dev`
// wrote in its folder when it was ready, or else are the defaults.
type APIFlags struct {
	DataFlags
	BaseURL  string `name:"base-url" placeholder:"URL" help:"Where the API is; where the casino dev of the folder serves it unless given."`
	HTTPAddr string `placeholder:"HOST:PORT" help:"The address of the API, in place of a whole URL."`
	BasePath string `placeholder:"PATH" help:"What every path begins with, in place of a whole URL."`
}

// LocalnetFlags locate the simulated chain.
type LocalnetFlags struct {
	RPCURL       string `name:"rpc-url" placeholder:"URL" help:"Where the simulated chain is; where the casino dev of the folder serves it unless given."`
	LocalnetAddr string `placeholder:"HOST:PORT" help:"The address of the simulated chain, in place of a whole URL."`
}

// Default addresses of casino dev.
const (
	httpAddrDefault = "127.0.0.1:8080"
	devRPC          = "http://127.0.0.1:8899"
)

// API returns the API's base URL.
func (f APIFlags) API() (string, error) {
	if f.BaseURL != "" {
		return f.BaseURL, nil
	}
	if f.HTTPAddr == "" && f.BasePath == "" {
		if kept, err := Folder(f.DataDir).Running(); err != nil || kept.BaseURL != "" {
			return kept.BaseURL, err
		}
	}
	address, err := clientAddress("CASINO_HTTP_ADDR", cmp.Or(f.HTTPAddr, httpAddrDefault))
	return "http://" + address + strings.TrimSuffix(cmp.Or(f.BasePath, httpapi.BasePathDefault), "/"), err
}

// Chain returns the URL of the simulated chain.
func (f LocalnetFlags) Chain(folder string) (string, error) {
	switch {
	case f.RPCURL != "":
		return f.RPCURL, nil
	case f.LocalnetAddr == "":
		return Folder(folder).Node()
	}
	address, err := clientAddress("CASINO_LOCALNET_ADDR", f.LocalnetAddr)
	return "http://" + address, err
}

// Node returns the URL of the chain of the casino dev that runs in the folder, or the
// default.
func (d Folder) Node() (string, error) {
	kept, err := d.Running()
	return cmp.Or(kept.RPCURL, devRPC), err
}

// clientAddress returns the address for a client of a listener at the given address.
func clientAddress(setting, address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", cli.Usage(fmt.Errorf("%s: %q is not an address such as %s", setting, address, httpAddrDefault))
	}
	return net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port), nil
}

// CheckBaseURL returns an error if a session would be sent in clear text over a network.
func CheckBaseURL(text string) error {
	base, err := url.Parse(text)
	if err != nil || base.Host == "" || base.Scheme != "https" && (base.Scheme != "http" || !OnThisMachine(base)) {
		return errors.New("--base-url: must be of the form https://host/casino, or http on this machine")
	}
	return nil
}

func OnThisMachine(u *url.URL) bool {
	return settings.Loopback(net.JoinHostPort(u.Hostname(), "0")) == nil
}

// runningFile is the file with casino dev's addresses while it runs.
func (d Folder) runningFile() string { return d.File("running.json") }

// Running returns the addresses of the running casino dev, or zero if it doesn't run.
func (d Folder) Running() (ReadyLine, error) {
	raw, err := os.ReadFile(d.runningFile())
	if errors.Is(err, fs.ErrNotExist) {
		return ReadyLine{}, nil
	}
	var line ReadyLine
	if err == nil {
		err = json.Unmarshal(raw, &line)
	}
	if err != nil {
		return ReadyLine{}, fmt.Errorf("%s, in which casino dev writes where it serves: %w", d.runningFile(), err)
	}
	return line, nil
}

// noteRunning writes the addresses. A folder has one casino dev at a time, so an existing
// file was left by a killed process.
func (d Folder) noteRunning(line ReadyLine) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	return os.WriteFile(d.runningFile(), append(text, '\n'), 0o600)
}

func (d Folder) noteStopped() error {
	if err := os.Remove(d.runningFile()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// OurTreasury returns the treasury of the casino at a URL. It refuses other casinos than
// the folder's, because demo and pay sign with the folder's wallets.
func (d Folder) OurTreasury(ctx context.Context, casino *client.Client, base string) (string, error) {
	raw, err := os.ReadFile(d.Treasury())
	if errors.Is(err, fs.ErrNotExist) {
		return "", cli.Usage(fmt.Errorf("there is no casino in %s: start casino dev there, or name its folder with --data-dir", string(d)))
	}
	if err != nil {
		return "", err
	}
	key, err := ParseKeypair(d.Treasury(), raw)
	if err != nil {
		return "", err
	}
	found, err := casino.WalletAddress(ctx)
	if err != nil {
		return "", fmt.Errorf("asking the casino at %s: %w", base, err)
	}
	if ours := PublicKey(key).String(); found != ours {
		return "", cli.Usage(fmt.Errorf("the casino at %s is not the one in %s: its treasury is %s, the folder's is %s. "+
			"Name its folder with --data-dir, or the folder's casino with --base-url", base, string(d), found, ours))
	}
	return found, nil
}
