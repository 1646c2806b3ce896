package settings

import "log/slog"

// Log says what is logged, and how.
type Log struct {
	LogLevel  string `default:"info" enum:"debug,info,warn,error" help:"debug, info, warn or error."`
	LogFormat string `default:"auto" enum:"auto,text,json" help:"text for people, json for machines; auto: text on a terminal, json elsewhere."`
}

// Level is the least level that is logged.
func (l Log) Level() slog.Level {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.LogLevel)); err != nil {
		return slog.LevelInfo // the enum of the flag leaves no other text
	}
	return level
}

// JSON reports whether lines are written for machines, on a terminal or off one.
func (l Log) JSON(terminal bool) bool {
	return l.LogFormat == "json" || l.LogFormat == "auto" && !terminal
}
