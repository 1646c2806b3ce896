package httpapi

import (
	"encoding/base64"
	"net/http"
	"strconv"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
)

// headLogRoutes returns the routes of the log of headers, which are those of C2SP tlog-tiles.
func (a *API) headLogRoutes() []route {
	return []route{
		{operation.LogCheckpoint, anyone, publicWindow, a.logCheckpoint},
		{operation.LogTile, anyone, publicWindow, a.logTile},
	}
}

func hasHeadLog(c *app.Casino) bool { return c.HeadLog != nil }

// Cache-Control of the documents of the log. A tile never changes: another epoch has other
// paths.
const (
	logCheckpointCaching = "public, max-age=1"
	logTileCaching       = "public, max-age=31536000, immutable"
)

func (a *API) logCheckpoint(r *request) (answer, error) {
	epoch, err := epochOf(r)
	if err != nil {
		return answer{}, err
	}
	published, err := a.casino.HeadLog.Checkpoint(r.ctx, epoch)
	return answer{page: logDocument{"text/plain; charset=utf-8", logCheckpointCaching, []byte(published.Note)}}, err
}

func (a *API) logTile(r *request) (answer, error) {
	epoch, err := epochOf(r)
	if err != nil {
		return answer{}, err
	}
	tile, err := a.casino.HeadLog.Tile(r.ctx, epoch, r.params["level"], r.params["index"])
	return answer{page: logDocument{"application/octet-stream", logTileCaching, tile}}, err
}

// epochOf returns the epoch in the path, which must be written without leading zeros.
func epochOf(r *request) (int64, error) {
	epoch, err := strconv.ParseInt(r.params["epoch"], 10, 64)
	if err != nil || epoch < 1 || strconv.FormatInt(epoch, 10) != r.params["epoch"] {
		return 0, fault.New(fault.NotFound, "an epoch is a number from 1")
	}
	return epoch, nil
}

// logDocument is a document of the log.
type logDocument struct {
	contentType, caching string
	content              []byte
}

// ServeHTTP sends the document with caching headers.
func (d logDocument) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", d.contentType)
	header.Set("Cache-Control", d.caching)
	header.Set("Content-Length", strconv.Itoa(len(d.content)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(d.content) // the client may have disconnected
	}
}

// proveLogged returns the proof that the log has a block, zero while no checkpoint has it.
func (a *API) proveLogged(r *request, block hashchain.Header) (shown api.LogProof, err error) {
	if !hasHeadLog(a.casino) {
		return shown, nil
	}
	made, err := a.casino.HeadLog.Prove(r.ctx, block)
	if err != nil || made == nil {
		return shown, err
	}
	shown = api.LogProof{Checkpoint: made.Checkpoint.Note, Index: made.Index, Path: pathOf(made.Path)}
	if a.casino.Anchors == nil {
		return shown, nil
	}
	anchored, err := a.casino.Anchors.Prove(r.ctx, block)
	if err != nil || anchored == nil {
		return shown, err
	}
	shown.Anchor = &api.LogProofAnchor{Signature: anchored.Anchor.Signature, Path: pathOf(anchored.Path)}
	return shown, nil
}

// pathOf writes an audit path in base64.
func pathOf(path []merkle.Hash) []string {
	return mapEach(path, func(h merkle.Hash) string { return base64.StdEncoding.EncodeToString(h[:]) })
}
