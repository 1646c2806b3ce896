package table

import (
	"testing"
	"time"
)

type cents int64

// order is a value of the domain, and orderRow what is stored of it.
type order struct {
	ID    string
	Price cents
	Tries struct {
		Count int
		Last  time.Time
	}
	Open bool
	Note string
}

type orderRow struct {
	ID     string
	Price  int64
	Tries  int
	Last   time.Time
	Worker string
	IsOpen bool
}

func TestMappingsCopyFieldsBothWays(t *testing.T) {
	t.Parallel()
	orders := MappingOf[orderRow, order](map[string]string{"Count": "Tries", "Open": "IsOpen", "Note": ""})
	row := orderRow{ID: "one", Price: 7, Tries: 3, Last: time.UnixMicro(5), Worker: "w", IsOpen: true}
	value := orders.Value(&row)
	if value.ID != "one" || value.Price != 7 || value.Tries.Count != 3 || !value.Tries.Last.Equal(row.Last) || !value.Open || value.Note != "" {
		t.Errorf("%+v became %+v", row, value)
	}
	value.Note = "left out"
	back := orderRow{Worker: "w"}
	if orders.Set(&back, &value); back != row {
		t.Errorf("%+v became %+v", value, back)
	}
}

func TestMappingsThatDontFitStopTheProgram(t *testing.T) {
	t.Parallel()
	for name, others := range map[string]map[string]string{
		"a field that no row has": {"Count": "Tries", "Open": "IsOpen"},
		"a field of another kind": {"Count": "ID", "Open": "IsOpen", "Note": ""},
		"a name of no field":      {"Count": "Tries", "Open": "IsOpen", "Note": "", "Nothing": ""},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s went through", name)
				}
			}()
			MappingOf[orderRow, order](others)
		}()
	}
}
