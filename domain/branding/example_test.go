package branding_test

import (
	"fmt"

	"github.com/casino-service/casino/domain/branding"
)

// An admin changes one of the three and keeps the rest.
func ExampleBranding_Check() {
	b := branding.Default()
	b.Title = "Lucky Seven"
	fmt.Println(b.Check())

	b.AccentColor = "red"
	fmt.Println(b.Check())
	// Output:
	// <nil>
	// accentColor: must be of the form #rrggbb
}
