package settings

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// Booleans makes every boolean setting accept on, true, yes and 1, and off, false, no and
// 0, in any case. kong itself refuses on and off.
func Booleans() kong.Option { return kong.KindMapper(reflect.Bool, boolean{}) }

type boolean struct{}

// IsBool tells kong that a flag without a value is true.
func (boolean) IsBool() bool { return true }

// Decode reads the value of a flag or an environment variable.
func (boolean) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		target.SetBool(true)
		return nil
	}
	value := ctx.Scan.Pop().Value
	switch text := strings.ToLower(fmt.Sprint(value)); text {
	case "on", "true", "yes", "1":
		target.SetBool(true)
	case "off", "false", "no", "0":
		target.SetBool(false)
	default:
		return fmt.Errorf("must be on, true, yes or 1, or off, false, no or 0, but is %q", text)
	}
	return nil
}
