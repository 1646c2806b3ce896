package evidence

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/domain/checkpoint"
)

// The files of the list of all others, and of its signature.
const (
	manifestFile  = "manifest.txt"
	signatureFile = "manifest.sig.json"
)

// manifestForm is the first line of a manifest.
const manifestForm = "casino evidence 1"

// manifest lists the files of the evidence with their SHA-256.
type manifest struct {
	Version string
	Taken   time.Time
	Key     string // the id of the key that signs it, empty for none
	Sums    map[string]string
}

// signature is the content of the signature's file: Ed25519 over the bytes of the manifest.
type signature struct {
	Kid       string `json:"kid"`
	Key       string `json:"key"` // PKIX, base64
	Signature string `json:"signature"`
}

// sums returns the SHA-256 of each file, in hexadecimal.
func sums(files map[string][]byte) map[string]string {
	all := map[string]string{}
	for name, content := range files {
		all[name] = fmt.Sprintf("%x", sha256.Sum256(content))
	}
	return all
}

// sumLines returns the sums in the form of sha256sum, by name.
func sumLines(all map[string]string) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&text, "%s  %s\n", all[name], name)
	}
	return text.String()
}

// text returns the manifest's text, which is signed.
func (m manifest) text() string {
	by := "unsigned"
	if m.Key != "" {
		by = "signed by " + m.Key
	}
	return fmt.Sprintf("%s\nversion %s\ntaken %s\n%s\n\n%s", manifestForm, m.Version, m.Taken.Format(time.RFC3339), by, sumLines(m.Sums))
}

// sumLine matches a line of a manifest's list.
var sumLine = regexp.MustCompile(`^([0-9a-f]{64})  (.+)$`)

// readManifest returns the lines of a manifest's head, and its sums by name.
func readManifest(text string) (head []string, all map[string]string, err error) {
	before, list, found := strings.Cut(text, "\n\n")
	head = strings.Split(before, "\n")
	if !found || head[0] != manifestForm || len(head) != 4 {
		return nil, nil, fmt.Errorf("%s doesn't begin as evidence does: %s, version, time and signer", manifestFile, manifestForm)
	}
	all = map[string]string{}
	for line := range strings.Lines(list) {
		parts := sumLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if parts == nil || all[parts[2]] != "" {
			return nil, nil, fmt.Errorf("%s: %q isn't a sum and a name of its own", manifestFile, strings.TrimSpace(line))
		}
		all[parts[2]] = parts[1]
	}
	return head, all, nil
}

// verify checks a folder and prints each difference.
func (c Command) verify(s cli.Streams) error {
	var trusted []checkpoint.Key
	if c.Key != "" {
		key, err := cli.TrustedKey(c.Key)
		if err != nil {
			return cli.Usage(err)
		}
		trusted = append(trusted, key)
	}
	folder := os.DirFS(c.Folder)
	text, err := fs.ReadFile(folder, manifestFile)
	if err != nil {
		return err
	}
	head, listed, err := readManifest(string(text))
	if err != nil {
		return err
	}
	wrong, err := compareFiles(folder, listed)
	if err != nil {
		return err
	}
	signed, err := checkSignature(folder, string(text), head[3], trusted)
	if err != nil {
		wrong = append(wrong, err.Error())
	}
	for _, text := range wrong {
		fmt.Fprintln(s.Out, "FOUND", text)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("the evidence isn't what was gathered: %d differences", len(wrong))
	}
	_, err = fmt.Fprintf(s.Out, "%d files of %s, %s: as they were gathered\n%s\n", len(listed), head[1], head[2], signed)
	return err
}

// compareFiles lists changed, missing and added files.
func compareFiles(folder fs.FS, listed map[string]string) (wrong []string, err error) {
	left := maps.Clone(listed)
	err = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		want, known := left[name]
		switch {
		case err != nil:
			return err
		case entry.IsDir() || name == manifestFile || name == signatureFile:
			return nil
		case !known:
			wrong = append(wrong, name+" was added")
			return nil
		case !entry.Type().IsRegular():
			wrong = append(wrong, name+" isn't a file")
			return nil
		}
		delete(left, name)
		content, err := fs.ReadFile(folder, name)
		if err == nil && fmt.Sprintf("%x", sha256.Sum256(content)) != want {
			wrong = append(wrong, name+" was changed")
		}
		return err
	})
	for _, name := range slices.Sorted(maps.Keys(left)) {
		wrong = append(wrong, name+" is missing")
	}
	return wrong, err
}

// checkSignature describes who signed the manifest. It returns an error for a signature that
// isn't valid, and for one that isn't of a trusted key if there is any.
func checkSignature(folder fs.FS, text, signer string, trusted []checkpoint.Key) (string, error) {
	raw, err := fs.ReadFile(folder, signatureFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && signer == "unsigned" && len(trusted) == 0:
		return "NOT SIGNED: whoever has the folder could have made it", nil
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("the manifest has no signature")
	case err != nil:
		return "", err
	}
	var made signature
	if err := json.Unmarshal(raw, &made); err != nil {
		return "", fmt.Errorf("%s can't be read: %w", signatureFile, err)
	}
	bytes, err := base64.StdEncoding.DecodeString(made.Signature)
	if err != nil {
		return "", fmt.Errorf("%s: its signature isn't base64", signatureFile)
	}
	if len(trusted) > 0 {
		if err := (checkpoint.Signed{Text: text, Key: made.Kid, Signature: bytes}).Verify(trusted...); err != nil {
			return "", fmt.Errorf("the signature isn't of the key that you trust: %w", err)
		}
		return "signed by " + made.Kid + ", the key that you trust", nil
	}
	own, err := cli.TrustedKey(made.Kid + ":" + made.Key)
	if err == nil {
		err = checkpoint.Signed{Text: text, Key: made.Kid, Signature: bytes}.Verify(own)
	}
	if err != nil {
		return "", fmt.Errorf("the signature is not valid: %w", err)
	}
	return fmt.Sprintf("signed by %s:%s; compare this key with the operator's, or give it as --key", made.Kid, made.Key), nil
}
