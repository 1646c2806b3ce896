package main

import (
	"encoding/json"
	"maps"
	"net"
	"net/netip"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oasdiff/yaml"
)

// composeFile is the part of compose.yaml that the tests read.
type composeFile struct {
	Services map[string]composeService
	Networks map[string]struct {
		IPAM struct {
			Config []struct{ Subnet netip.Prefix }
		}
	}
	Secrets map[string]struct{ File string }
	Volumes map[string]any
}

type composeService struct {
	Image       string
	Build       any
	Command     any
	DependsOn   map[string]any `json:"depends_on"`
	Environment map[string]string
	Healthcheck any
	Networks    composeNetworks
	Ports       []string
	Secrets     []string
	Volumes     []string
}

// composeNetworks are a service's networks with its fixed addresses, if any. Compose also
// accepts a list of names.
type composeNetworks map[string]struct {
	IPv4Address netip.Addr `json:"ipv4_address"`
}

func (n *composeNetworks) UnmarshalJSON(raw []byte) error {
	var names []string
	if err := json.Unmarshal(raw, &names); err != nil {
		type addressed composeNetworks
		return json.Unmarshal(raw, (*addressed)(n))
	}
	*n = composeNetworks{}
	for _, name := range names {
		(*n)[name] = composeNetworks{}[name]
	}
	return nil
}

// mount returns the host's path for a mounted path of the service.
func (s composeService) mount(target string) string {
	for _, volume := range s.Volumes {
		host, at, _ := strings.Cut(volume, ":")
		at, _, _ = strings.Cut(at, ":")
		if below, inside := strings.CutPrefix(target, at); inside && (below == "" || below[0] == '/') {
			return host + below
		}
	}
	return ""
}

// unmarshalDeployment reads a YAML file of deploy/.
func unmarshalDeployment[T any](t *testing.T, name string) T {
	t.Helper()
	var into T
	if _, err := yaml.Unmarshal([]byte(deployment(t)[name]), &into, yaml.DecodeOpts{}); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return into
}

// instances returns the services that run casino serve.
func (f composeFile) instances() []string {
	var names []string
	for name, service := range f.Services {
		if service.Build != nil && service.Command == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestComposeNamesWhatExists checks the names and paths in compose.yaml that Compose itself
// checks only at the start.
func TestComposeNamesWhatExists(t *testing.T) {
	t.Parallel()
	file := unmarshalDeployment[composeFile](t, "compose.yaml")
	for _, name := range []string{"proxy", "migrate", "postgres", "redis", "prometheus", "grafana"} {
		if file.Services[name].Networks == nil {
			t.Errorf("no service %s, or one without networks", name)
		}
	}
	for name, service := range file.Services {
		for _, volume := range service.Volumes {
			host, _, _ := strings.Cut(volume, ":")
			_, declared := file.Volumes[host]
			_, err := os.Stat(filepath.Join("../..", host))
			if !declared && !strings.HasPrefix(host, "./secrets/") && err != nil {
				t.Errorf("%s mounts %s: no volume, and %v", name, host, err)
			}
		}
		for other := range service.DependsOn {
			if _, found := file.Services[other]; !found {
				t.Errorf("%s depends on %s, which is no service", name, other)
			}
		}
		for network := range service.Networks {
			if _, found := file.Networks[network]; !found {
				t.Errorf("%s is in the network %s, which is none", name, network)
			}
		}
		for _, secret := range service.Secrets {
			if _, found := file.Secrets[secret]; !found {
				t.Errorf("%s reads the secret %s, which is none", name, secret)
			}
		}
		if service.Build == nil && !regexp.MustCompile(`:v?\d+\.\d+`).MatchString(service.Image) {
			t.Errorf("%s runs %s, whose version is not pinned", name, service.Image)
		}
		if service.Healthcheck == nil && (service.Build == nil || !strings.Contains(deployment(t)["Dockerfile"], "\nHEALTHCHECK ")) {
			t.Errorf("%s has no health check", name)
		}
		for _, port := range service.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") && name != "proxy" {
				t.Errorf("%s is published as %s", name, port)
			}
		}
	}
}

// TestComposeAddressesAgree compares the addresses in different files of deploy/.
func TestComposeAddressesAgree(t *testing.T) {
	t.Parallel()
	file := unmarshalDeployment[composeFile](t, "compose.yaml")
	instances, proxy, nginx := file.instances(), file.Services["proxy"], deployment(t)["nginx/nginx.conf"]
	settings := file.Services[instances[0]].Environment
	at := func(setting string) (addresses []string) {
		_, port, err := net.SplitHostPort(settings[setting])
		if err != nil {
			t.Fatalf("%s: %v", setting, err)
		}
		for _, name := range instances {
			addresses = append(addresses, name+":"+port)
		}
		return addresses
	}
	if upstream := submatches(nginx, `(?m)^\s+server (\S+);`); !slices.Equal(upstream, at("CASINO_HTTP_ADDR")) || len(upstream) < 2 {
		t.Errorf("the proxy passes requests to %v, the API is at %v", upstream, at("CASINO_HTTP_ADDR"))
	}
	var published []string
	for _, port := range proxy.Ports {
		published = append(published, port[strings.LastIndex(port, ":")+1:])
	}
	if listens := submatches(nginx, `(?m)^\s+listen (\d+)`); !slices.Equal(listens, published) || len(listens) != 2 {
		t.Errorf("the proxy listens at %v, published are %v", listens, published)
	}
	for _, pem := range submatches(nginx, `(?m)^\s+ssl_certificate(?:_key)? (\S+);`) {
		if !strings.HasPrefix(proxy.mount(pem), "./secrets/tls/") {
			t.Errorf("%s comes from %q", pem, proxy.mount(pem))
		}
	}
	// Limits count clients: the instances trust only the proxy, which reports its clients.
	subnet := file.Networks["edge"].IPAM.Config[0].Subnet
	trusted := proxy.Networks["edge"].IPv4Address
	if settings["CASINO_TRUSTED_PROXIES"] != trusted.String() {
		t.Errorf("the proxy is %s, trusted is %q", trusted, settings["CASINO_TRUSTED_PROXIES"])
	}
	if forwarded := submatches(nginx, `proxy_set_header X-Forwarded-For (.*);`); !slices.Equal(forwarded, []string{"$remote_addr"}) {
		t.Errorf("the proxy forwards %q as the client, want $remote_addr alone: the rest is what the client says", forwarded)
	}
	fixed := []netip.Addr{trusted, subnet.Masked().Addr().Next()} // the second one is Docker's gateway
	for _, name := range instances {
		fixed = append(fixed, file.Services[name].Networks["edge"].IPv4Address)
	}
	for i, address := range fixed {
		if !subnet.Contains(address) || slices.Index(fixed, address) != i {
			t.Errorf("%s is not in %s, or is taken twice: %v", address, subnet, fixed)
		}
	}

	prometheus := unmarshalDeployment[struct {
		Rules  []string `json:"rule_files"`
		Scrape []struct {
			Job    string                       `json:"job_name"`
			Static []struct{ Targets []string } `json:"static_configs"`
		} `json:"scrape_configs"`
	}](t, "prometheus/prometheus.yml")
	if job := prometheus.Scrape[0]; job.Job != "casino" || !slices.Equal(job.Static[0].Targets, at("CASINO_OPS_ADDR")) {
		t.Errorf("Prometheus scrapes %+v, the operations addresses are %v", job, at("CASINO_OPS_ADDR"))
	}
	const config = "/etc/prometheus/prometheus.yml"
	for _, rules := range prometheus.Rules {
		if from := file.Services["prometheus"].mount(path.Join(path.Dir(config), rules)); from != "./deploy/prometheus/casino.rules.yml" {
			t.Errorf("%s comes from %q", rules, from)
		}
	}
	if command, _ := file.Services["prometheus"].Command.([]any); len(prometheus.Rules) != 1 || !slices.Contains(command, any("--config.file="+config)) ||
		file.Services["prometheus"].mount(config) != "./deploy/prometheus/prometheus.yml" {
		t.Errorf("Prometheus runs %v with the rules %v", command, prometheus.Rules)
	}
}

// TestGrafanaIsProvisioned follows the dashboard and its data source through the files that
// Grafana reads at its start.
func TestGrafanaIsProvisioned(t *testing.T) {
	t.Parallel()
	file := unmarshalDeployment[composeFile](t, "compose.yaml")
	grafana := file.Services["grafana"]
	for folder, from := range map[string]string{"datasources": "./deploy/grafana/datasource.yml", "dashboards": "./deploy/grafana/dashboards.yml"} {
		if got := grafana.mount("/etc/grafana/provisioning/" + folder + "/casino.yml"); got != from {
			t.Errorf("%s are provisioned from %q", folder, got)
		}
	}
	sources := unmarshalDeployment[struct {
		Datasources []struct {
			Type, URL string
			IsDefault bool
		}
	}](t, "grafana/datasource.yml").Datasources
	// Prometheus listens on 9090 by default.
	if len(sources) != 1 || sources[0].Type != "prometheus" || sources[0].URL != "http://prometheus:9090" || !sources[0].IsDefault {
		t.Errorf("the data sources are %+v", sources)
	}
	providers := unmarshalDeployment[struct {
		Providers []struct {
			Folder, Type string
			Options      struct{ Path string }
		}
	}](t, "grafana/dashboards.yml").Providers
	if len(providers) != 1 || providers[0].Type != "file" || providers[0].Folder != "Casino" {
		t.Fatalf("the providers of dashboards are %+v", providers)
	}
	if from := grafana.mount(providers[0].Options.Path + "/casino.json"); from != "./deploy/grafana/casino.json" {
		t.Errorf("the dashboard comes from %q", from)
	}
	var dashboard struct {
		Templating struct {
			List []struct{ Type, Query string }
		}
	}
	if err := json.Unmarshal([]byte(deployment(t)["grafana/casino.json"]), &dashboard); err != nil {
		t.Fatal(err)
	}
	if first := dashboard.Templating.List[0]; first.Type != "datasource" || first.Query != sources[0].Type {
		t.Errorf("the dashboard asks for a data source of the type %+v", first)
	}
}

// TestComposeSettingsAreAccepted runs config serve with the environment of an instance.
func TestComposeSettingsAreAccepted(t *testing.T) {
	t.Parallel()
	file := unmarshalDeployment[composeFile](t, "compose.yaml")
	instance := file.Services[file.instances()[0]]
	folder, state := credentials(t), t.TempDir()
	given := exampleSettings(t)
	for name, value := range instance.Environment { // takes precedence over env_file
		value = strings.ReplaceAll(value, instance.mountedState(), state)
		if secret, found := strings.CutPrefix(value, "/run/secrets/"); found && slices.Contains(instance.Secrets, secret) {
			value = filepath.Join(folder, filepath.Base(file.Secrets[secret].File))
		}
		given[name] = regexp.MustCompile(`\$\{[A-Z_]+:\?[^}]*\}`).ReplaceAllStringFunc(value, func(required string) string {
			if strings.Contains(required, "WALLETS") {
				return "So11111111111111111111111111111111111111112"
			}
			return "abc123"
		})
	}
	out, errOut, code := configServe(t, given)
	if code != exitDone {
		t.Errorf("config serve: exit %d\n%s", code, errOut)
	}
	for _, line := range []string{"CASINO_PAGES=true", "CASINO_TRUSTED_PROXIES=" + given["CASINO_TRUSTED_PROXIES"]} {
		if !strings.Contains(out, line+"\n") {
			t.Errorf("%s is not in\n%s", line, out)
		}
	}
}

// mountedState returns the folder of the service that is a volume.
func (s composeService) mountedState() string {
	_, at, _ := strings.Cut(s.Volumes[0], ":")
	return at
}

// TestUnitSettingsAreAccepted runs config serve with the environment of casino.service and
// the part of the example that the unit reads.
func TestUnitSettingsAreAccepted(t *testing.T) {
	t.Parallel()
	unit := deployment(t)["systemd/casino.service"]
	folder, state := credentials(t), t.TempDir()
	given := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^Environment=(CASINO_[A-Z_]+)=(.*)$`).FindAllStringSubmatch(unit, -1) {
		given[line[1]] = strings.NewReplacer("%d", folder, "%S", state, "/etc/casino/tokens.json", filepath.Join(folder, "tokens.json")).Replace(line[2])
	}
	maps.Copy(given, exampleSettings(t)) // EnvironmentFile= takes precedence over Environment=
	for _, used := range regexp.MustCompile(`%d/([a-z.]+)`).FindAllStringSubmatch(unit, -1) {
		if !strings.Contains(unit, "\nLoadCredential="+used[1]+":") {
			t.Errorf("%s is not loaded", used[1])
		}
	}
	if _, errOut, code := configServe(t, given); code != exitDone {
		t.Errorf("config serve: exit %d\n%s", code, errOut)
	}
}

// exampleSettings returns the settings of casino.example.env above its credentials.
func exampleSettings(t *testing.T) map[string]string {
	t.Helper()
	above, below, found := strings.Cut(deployment(t)["casino.example.env"], "\n# Credentials ")
	if !found || !strings.Contains(below, "\nCASINO_DATABASE_URL=") {
		t.Fatal("the example has no line that begins its credentials")
	}
	given := environment(above)
	given["CASINO_SUPERADMIN_WALLETS"] = "So11111111111111111111111111111111111111112"
	return given
}

// credentials creates the files that the unit and compose.yaml read, in a folder.
func credentials(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	keys, errOut, code := runCasino(t, "keygen", "--treasury", filepath.Join(folder, "treasury.json"))
	if code != exitDone {
		t.Fatalf("keygen: exit %d\n%s", code, errOut)
	}
	made := environment(keys)
	for name, text := range map[string]string{
		"jwt.keys": made["CASINO_JWT_KEYS"], "seed.keys": made["CASINO_SEED_KEYS"], "checkpoint.keys": made["CASINO_CHECKPOINT_KEYS"], "receipt.keys": made["CASINO_RECEIPT_KEYS"],
		"nodes": "https://one.example\nhttps://two.example\n", "tokens.json": deployment(t)["tokens.example.json"],
		"database.url": "postgres://casino_app:pass@db/casino\n", "redis.url": "redis://redis:6379/0\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func submatches(text, pattern string) []string {
	var found []string
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}
