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

// inserted returns a list that is sorted by id with one element more.
func inserted[T any](all []T, thing T, id func(T) string) []T {
	at, _ := search(all, id, id(thing))
	return slices.Insert(all, at, thing)
}

// listed returns one page, newest first, of the elements that keep accepts, from a list
// that is sorted by id.
func listed[T any](all []T, id func(T) string, keep func(T) bool, page ports.Page) ([]T, ports.PageInfo, error) {
	kept := []T{}
	for _, thing := range slices.Backward(all) {
		if keep(thing) {
			kept = append(kept, thing)
		}
	}
	var info ports.PageInfo
	if !page.Uncounted {
		info.Total, info.Capped = min(len(kept), ports.TotalMax), len(kept) > ports.TotalMax
	}
	skip, empty, err := page.Skip(info)
	if empty || err != nil {
		return []T{}, info, err
	}
	if page.After != "" {
		kept = slices.DeleteFunc(kept, func(thing T) bool { return id(thing) >= page.After })
	}
	kept = kept[min(skip, len(kept)):]
	if len(kept) > page.Limit {
		kept = kept[:page.Limit]
		info.Next = id(kept[len(kept)-1])
	}
	return kept, info, nil
}
