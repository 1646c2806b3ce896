package memory

import (
	"slices"
	"strings"

	"github.com/casino-service/casino/ports"
)

// search returns where a list that is sorted by id has the id, or would have it.
func search[T any](all []T, id func(T) string, wanted string) (int, bool) {
	return slices.BinarySearchFunc(all, wanted, func(t T, wanted string) int { return strings.Compare(id(t), wanted) })
}

// inserted returns a list that is sorted by id with one thing more.
func inserted[T any](all []T, thing T, id func(T) string) []T {
	at, _ := search(all, id, id(thing))
	return slices.Insert(all, at, thing)
}

// listed returns one page, newest first, of what a list that is sorted by id
// keeps.
func listed[T any](all []T, id func(T) string, keep func(T) bool, page ports.Page) ([]T, ports.PageInfo) {
	var info ports.PageInfo
	skip := (page.Number - 1) * page.Limit
	if page.After != "" {
		skip = 0
	}
	if skip >= ports.TotalMax {
		skip = len(all)
	}
	items := []T{}
	for _, thing := range slices.Backward(all) {
		if !keep(thing) {
			continue
		}
		if info.Total++; page.Uncounted {
			info.Total = 0
		} else if info.Total > ports.TotalMax {
			info.Total, info.Capped = ports.TotalMax, true
		}
		switch {
		case page.After != "" && id(thing) >= page.After:
		case skip > 0:
			skip--
		case len(items) < page.Limit:
			items = append(items, thing)
		default:
			info.Next = id(items[len(items)-1])
		}
	}
	return items, info
}
