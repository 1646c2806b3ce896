package api

// PlayPauseRequest pauses or resumes play: in one game, of one agent's players, or,
// without either, all of it.
type PlayPauseRequest struct {
	GameType  string `json:"gameType,omitzero"`
	AgentCode string `json:"agentCode,omitzero"`
	Reason    string `json:"reason"`
}

// PlayPause is a pause of play that is in effect.
type PlayPause struct {
	GameType  *string `json:"gameType"`
	AgentCode *string `json:"agentCode"`
	By        *string `json:"by"`
	Reason    string  `json:"reason"`
	PausedAt  int64   `json:"pausedAt"`
}

// PlayResponse is what play is paused.
type PlayResponse struct {
	Pauses []PlayPause `json:"pauses"`
}
