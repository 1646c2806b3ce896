package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/oasdiff/yaml"
)

// manifest is the part of a Kubernetes object that the tests read.
type manifest struct {
	Kind     string
	Metadata struct{ Name, Namespace string }
	Data     map[string]string
	Spec     struct {
		Selector    any
		ServiceName string
		Ports       []struct{ Name, TargetPort string }
		Template    struct {
			Metadata struct{ Labels map[string]string }
			Spec     manifestPod
		}
		VolumeClaimTemplates []struct{ Metadata struct{ Name string } }
	}
}

type manifestPod struct {
	TerminationGracePeriodSeconds int
	Containers                    []manifestContainer
	Volumes                       []manifestVolume
}

type manifestVolume struct {
	Name      string
	ConfigMap struct{ Name string }
	Secret    struct{ SecretName string }
}

type manifestContainer struct {
	Image   string
	Args    []string
	EnvFrom []map[string]struct{ Name string }
	Env     []struct{ Name, Value string }
	Ports   []struct {
		Name          string
		ContainerPort int
	}
	StartupProbe, LivenessProbe, ReadinessProbe struct {
		HTTPGet struct{ Path, Port string } `json:"httpGet"`
	}
	VolumeMounts []struct{ Name, MountPath string }
}

// manifests returns the objects of deploy/kubernetes by kind and name.
func manifests(t *testing.T) map[string]manifest {
	t.Helper()
	found := map[string]manifest{}
	for name, text := range deployment(t) {
		if !strings.HasPrefix(name, "kubernetes/") {
			continue
		}
		for i, part := range strings.Split("\n"+text, "\n---\n") {
			var m manifest
			if _, err := yaml.Unmarshal([]byte(part), &m, yaml.DecodeOpts{}); err != nil || m.Kind == "" {
				t.Fatalf("%s, object %d: %v", name, i, err)
			}
			if m.Kind != "Namespace" && m.Metadata.Namespace != "casino" {
				t.Errorf("%s %s is in the namespace %q", m.Kind, m.Metadata.Name, m.Metadata.Namespace)
			}
			found[m.Kind+" "+m.Metadata.Name] = m
		}
	}
	return found
}

// TestKubernetesNamesAgree checks what `make kubernetes` doesn't: names, ports, mounts and
// selectors between the objects, and paths that the binary serves.
func TestKubernetesNamesAgree(t *testing.T) {
	t.Parallel()
	all := manifests(t)
	set, job := all["StatefulSet casino"].Spec, all["Job casino-migrate"].Spec
	pod := set.Template.Spec
	instance := pod.Containers[0]
	if got := job.Template.Spec.Containers[0]; got.Image != instance.Image || strings.Join(got.Args, " ") != "migrate up" || strings.Join(instance.Args, " ") != "serve" {
		t.Errorf("the job runs %s %v, the instances %s %v", got.Image, got.Args, instance.Image, instance.Args)
	}
	ports := map[string]string{}
	for _, port := range instance.Ports {
		ports[port.Name] = fmt.Sprintf(":%d", port.ContainerPort)
	}
	settings := all["ConfigMap casino"].Data
	if settings["CASINO_HTTP_ADDR"] != ports["http"] || settings["CASINO_OPS_ADDR"] != ports["ops"] {
		t.Errorf("the ports are %v", ports)
	}
	for probe, got := range map[string]string{
		"startup": instance.StartupProbe.HTTPGet.Path, "liveness": instance.LivenessProbe.HTTPGet.Path, "readiness": instance.ReadinessProbe.HTTPGet.Path,
	} {
		if want := map[string]string{"startup": "/livez", "liveness": "/livez", "readiness": "/readyz"}[probe]; got != want {
			t.Errorf("the %s probe asks %s", probe, got)
		}
	}
	for _, service := range []string{"Service casino", "Service casino-instances"} {
		if got, want := fmt.Sprint(all[service].Spec.Selector), fmt.Sprint(set.Template.Metadata.Labels); got != want {
			t.Errorf("%s selects %s, and pods have %s", service, got, want)
		}
		for _, port := range all[service].Spec.Ports {
			if ports[port.TargetPort] == "" {
				t.Errorf("%s leads to the port %q", service, port.TargetPort)
			}
		}
	}
	for _, name := range []string{"StatefulSet casino", "PodDisruptionBudget casino"} {
		if want := map[string]any{"matchLabels": set.Template.Metadata.Labels}; fmt.Sprint(all[name].Spec.Selector) != fmt.Sprint(want) {
			t.Errorf("%s selects %v", name, all[name].Spec.Selector)
		}
	}
	if _, found := all["Service "+set.ServiceName]; !found {
		t.Errorf("no service %s names the instances", set.ServiceName)
	}
	if fmt.Sprint(pod.TerminationGracePeriodSeconds-15)+"s" != settings["CASINO_LAME_DUCK"] {
		t.Errorf("pods end after %d s, and CASINO_LAME_DUCK is %s", pod.TerminationGracePeriodSeconds, settings["CASINO_LAME_DUCK"])
	}
	mounted := map[string]string{}
	for _, mount := range instance.VolumeMounts {
		mounted[mount.Name] = mount.MountPath
	}
	if mounted[set.VolumeClaimTemplates[0].Metadata.Name] != settings["CASINO_STATE_DIR"] || mounted[pod.Volumes[0].Name] != filepath.Dir(settings["CASINO_TOKENS_FILE"]) {
		t.Errorf("the mounts are %v", mounted)
	}
}

// TestKubernetesSettingsAreAccepted runs config serve with the settings of an instance, and
// files as docs/operations/kubernetes.md puts them into the Secrets.
func TestKubernetesSettingsAreAccepted(t *testing.T) {
	t.Parallel()
	all, folder := manifests(t), credentials(t)
	page := pages(t)["docs/operations/kubernetes.md"]
	instances, job := all["StatefulSet casino"].Spec.Template.Spec, all["Job casino-migrate"].Spec.Template.Spec
	given := maps.Clone(all["ConfigMap casino"].Data)
	if config := instances.Containers[0].EnvFrom; len(config) != 1 || config[0]["configMapRef"].Name != "casino" {
		t.Fatalf("the instances read %v", config)
	}
	delete(given, "GOMEMLIMIT") // Go's own
	for name, value := range given {
		if file, found := strings.CutPrefix(value, mountOf(t, instances, "secrets")+"/"); found {
			given[name] = filepath.Join(folder, file)
			if !strings.Contains(page, "`"+file+"`") {
				t.Errorf("the page doesn't name %s", file)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "signer.token"), []byte(signerToken), 0o600); err != nil {
		t.Fatal(err)
	}
	given["CASINO_STATE_DIR"], given["CASINO_TOKENS_FILE"] = t.TempDir(), filepath.Join(folder, filepath.Base(given["CASINO_TOKENS_FILE"]))
	out, errOut, code := configServe(t, given)
	if code != exitDone || !strings.Contains(out, "CASINO_TREASURY_SIGNER_URL=https://signer.example:8443") {
		t.Errorf("config serve: exit %d\n%s%s", code, out, errOut)
	}
	if env := job.Containers[0].Env; len(env) != 1 || env[0].Name != "CASINO_DATABASE_URL_FILE" || env[0].Value != mountOf(t, job, "secrets")+"/database.url" {
		t.Errorf("the job reads %v", env)
	}
	for _, command := range []string{
		"create secret generic " + instances.Volumes[1].Secret.SecretName + " ", "create secret generic " + job.Volumes[0].Secret.SecretName + " ",
		"create configmap " + instances.Volumes[0].ConfigMap.Name + " ",
	} {
		if !strings.Contains(page, command) {
			t.Errorf("the page doesn't %s", command)
		}
	}
}

// mountOf returns the path of a volume in the pod's container.
func mountOf(t *testing.T, pod manifestPod, volume string) string {
	t.Helper()
	for _, mount := range pod.Containers[0].VolumeMounts {
		if mount.Name == volume {
			return mount.MountPath
		}
	}
	t.Fatalf("no mount %s", volume)
	return ""
}
