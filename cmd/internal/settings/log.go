package settings

import "log/slog"

// Log selects what is logged, and in which format.
type Log struct {
	LogLevel  string `default:"info" enum:"debug,info,warn,error" help:"debug, info, warn or error."`
	LogFormat string `default:"auto" enum:"auto,text,json" help:"text for people, json for machines; auto: text on a terminal, json elsewhere."`
}

// Level returns the minimum level that is logged.
func (l Log) Level() slog.Level {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.LogLevel)); err != nil {
		return slog.LevelInfo // not reached: the flag's enum allows no other text
	}
	return level
}

// JSON reports whether to log JSON, on a terminal or elsewhere.
func (l Log) JSON(terminal bool) bool {
	return l.LogFormat == "json" || l.LogFormat == "auto" && !terminal
}
