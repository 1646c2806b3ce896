package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/casino-service/casino/cmd/internal/settings"
)

// TestBooleanSettingsAcceptOnAndOff gives every boolean flag of every command each accepted
// word, like the value of an environment variable.
func TestBooleanSettingsAcceptOnAndOff(t *testing.T) {
	t.Parallel()
	var cli commandLine
	parser, err := kong.New(&cli, kong.DefaultEnvars("CASINO"), settings.Booleans(), kong.Exit(func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, leaf := range append(parser.Model.Leaves(false), parser.Model.Node) {
		for _, flag := range leaf.Flags {
			if flag.Target.Kind() != reflect.Bool || len(flag.Envs) == 0 {
				continue
			}
			tried[flag.Envs[0]] = true
			for word, want := range map[string]bool{
				"on": true, "true": true, "yes": true, "1": true, "ON": true, "off": false, "false": false, "no": false, "0": false, "Off": false,
			} {
				got := reflect.New(flag.Target.Type()).Elem()
				got.SetBool(!want)
				err := flag.Value.Parse(kong.ScanFromTokens(kong.Token{Type: kong.FlagValueToken, Value: word}), got)
				if err != nil || got.Bool() != want {
					t.Errorf("%s=%s: %v, %v", flag.Envs[0], word, got, err)
				}
			}
			err := flag.Value.Parse(kong.ScanFromTokens(kong.Token{Type: kong.FlagValueToken, Value: "maybe"}), reflect.New(flag.Target.Type()).Elem())
			if err == nil || !strings.Contains(err.Error(), "on, true, yes or 1") {
				t.Errorf("%s=maybe: %v", flag.Envs[0], err)
			}
		}
	}
	for _, name := range []string{"CASINO_PAGES", "CASINO_MANUAL", "CASINO_SIGNED_APPROVALS", "CASINO_SOLANA_SINGLE_NODE"} {
		if !tried[name] {
			t.Errorf("%s was not tried among %v", name, tried)
		}
	}
}

// TestPagesAreSwitchedOnInTheEnvironmentsWords runs the command line itself.
func TestPagesAreSwitchedOnInTheEnvironmentsWords(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"on": "true", "off": "false"} {
		out, errOut, _ := runCasino(t, "config", "serve", "--pages="+word)
		if !strings.Contains(out, "CASINO_PAGES="+want+"\n") {
			t.Errorf("--pages=%s: %s%s", word, out, errOut)
		}
	}
}
