package httpapi

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/app"
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

// The times for which a document of the log may be cached. A tile never changes within an
// epoch; after a restore, the next epoch may have others.
const (
	logCheckpointAge = time.Second
	logTileAge       = 5 * time.Minute
)

func (a *API) logCheckpoint(r *request) (answer, error) {
	newest, err := a.casino.HeadLog.Checkpoint(r.ctx)
	return answer{page: logDocument{"text/plain; charset=utf-8", logCheckpointAge, []byte(newest.Note)}}, err
}

func (a *API) logTile(r *request) (answer, error) {
	tile, err := a.casino.HeadLog.Tile(r.ctx, r.params["level"], r.params["index"])
	return answer{page: logDocument{"application/octet-stream", logTileAge, tile}}, err
}

// logDocument is a document of the log.
type logDocument struct {
	contentType string
	age         time.Duration
	content     []byte
}

// ServeHTTP sends the document with caching headers.
func (d logDocument) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", d.contentType)
	header.Set("Cache-Control", "public, max-age="+wholeSeconds(d.age))
	header.Set("Content-Length", strconv.Itoa(len(d.content)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(d.content) // the client may have disconnected
	}
}

// proveLogged returns the proof that the log has a block, zero while no checkpoint has it.
func (a *API) proveLogged(r *request, block hashchain.Header) (api.LogProof, error) {
	if !hasHeadLog(a.casino) {
		return api.LogProof{}, nil
	}
	made, err := a.casino.HeadLog.Prove(r.ctx, block)
	if err != nil || made == nil {
		return api.LogProof{}, err
	}
	return api.LogProof{
		Checkpoint: made.Checkpoint.Note, Index: made.Index,
		Path: mapEach(made.Path, func(h merkle.Hash) string { return base64.StdEncoding.EncodeToString(h[:]) }),
	}, nil
}
