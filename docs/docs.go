// Package docs is the manual's text, as it lies in this folder. Only what renders or serves
// it imports it; it knows nothing itself, and is here because a program can embed only what
// lies beside its source.
package docs

import "embed"

// Files are the pages in Markdown, their pictures and the events' schemas, by their paths
// from this folder.
//
//go:embed *.md *.svg charts compliance events fairness operations pictures
var Files embed.FS
