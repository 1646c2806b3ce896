package screening

import "net/http"

// Use makes the screener send its requests through another transport.
func (r *Remote) Use(transport http.RoundTripper) { r.http.Transport = transport }
