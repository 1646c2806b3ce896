package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe returns the source of axe-core, which finds accessibility barriers on pages. It is
// installed from npm once per process, with its lock file.
var axe = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "casino-axe-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc"} {
		text, err := os.ReadFile(filepath.Join("axe", name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return "", err
		}
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = folder
	if said, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w\n%s", err, said)
	}
	source, err := os.ReadFile(filepath.Join(folder, "node_modules/axe-core/axe.min.js"))
	return string(source), err
})

// needsAxe skips a test if npm may not be used.
func needsAxe(t *testing.T) {
	t.Helper()
	if os.Getenv("CASINO_TEST_NODE") != "1" {
		t.Skip("set CASINO_TEST_NODE=1 to install axe-core from npm and look for barriers with it (make test does)") // allowed: needs npm
	}
}

// checking runs every enabled rule of axe, and the one on the size of targets; or some rules.
const checking = `void (async () => {
	window.violations = null;
	try {
		const only = %s;
		const options = { preload: false, resultTypes: ['violations'], ...(only ? { runOnly: only } : { rules: { 'target-size': { enabled: true } } }) };
		const { violations, passes } = await axe.run(document, options);
		window.violations = violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map((each) => id + ' at ' + each.target.join(' ') + ': ' + each.failureSummary));
		if (passes.length === 0) window.violations.push('no rule applied');
	} catch (failure) {
		window.violations = [String(failure)];
	}
})()`

// accessible fails the test for barriers that axe finds on the page. Without rules it runs all of
// them.
func (p *page) accessible(where string, rules ...string) {
	p.Helper()
	needsAxe(p.T)
	source, err := axe()
	noError(p, err)
	if !value[bool](p, `'axe' in window`) {
		p.do(chromedp.Evaluate[chromedp.Void](source + "; void 0"))
	}
	only := "null"
	if len(rules) > 0 {
		only = `["` + strings.Join(rules, `", "`) + `"]`
	}
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(checking, only)))
	p.until(`window.violations !== null`)
	for _, found := range value[[]string](p, `window.violations`) {
		p.Errorf("%s: %s", where, found)
	}
}
