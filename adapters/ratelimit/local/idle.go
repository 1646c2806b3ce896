package local

// idleOrder is a heap of entries by the time of becoming idle (container/heap). A request
// costs the logarithm of the number of keys, and never a sweep over all of them.
type idleOrder []*entry

// Len returns the number of entries.
func (o idleOrder) Len() int { return len(o) }

// Less orders by the time of becoming idle.
func (o idleOrder) Less(i, j int) bool { return o[i].idleAt.Before(o[j].idleAt) }

// Swap exchanges two entries and notes their new places.
func (o idleOrder) Swap(i, j int) {
	o[i], o[j] = o[j], o[i]
	o[i].place, o[j].place = i, j
}

// Push appends an *entry.
func (o *idleOrder) Push(x any) {
	added := x.(*entry)
	added.place = len(*o)
	*o = append(*o, added)
}

// Pop removes the last entry.
func (o *idleOrder) Pop() any {
	last := len(*o) - 1
	removed := (*o)[last]
	(*o)[last] = nil
	*o = (*o)[:last]
	return removed
}
