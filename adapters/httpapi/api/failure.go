package api

// Failure is the one body of every failure.
type Failure struct {
	Title string `json:"error"`
	// Code is stable, for example INSUFFICIENT_USER_FUNDS.
	Code      string         `json:"code"`
	Message   string         `json:"message"`
	Details   map[string]any `json:"details"`
	RequestID string         `json:"requestId"`
}
