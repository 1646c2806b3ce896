package settings

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// Print writes the flags as environment variables with hidden secrets.
func Print(w io.Writer, flags []*kong.Flag) error {
	for _, flag := range flags {
		if len(flag.Envs) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s=%s\n", flag.Envs[0], valueText(flag.Target)); err != nil {
			return err
		}
	}
	return nil
}

func valueText(value reflect.Value) string {
	if value.Kind() == reflect.Slice {
		texts := make([]string, value.Len())
		for i := range texts {
			texts[i] = fmt.Sprint(value.Index(i).Interface())
		}
		return strings.Join(texts, ",")
	}
	return fmt.Sprint(value.Interface())
}
