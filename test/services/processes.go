package services

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is how long a tick of /proc is.
const tick = 10 * time.Millisecond

// processFields are those of a process after its name: state, parent, …; nil where the
// system doesn't report them.
func processFields(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}

// ParentOf is the process that began another one, 0 where the system doesn't report it.
func ParentOf(pid int) int {
	fields := processFields(pid)
	if fields == nil {
		return 0
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return parent
}

// Meter measures the processor time that groups of processes use, each a process with its
// children.
type Meter struct {
	groups map[string][]int
	before map[string]time.Duration
}

// NewMeter begins to measure.
func NewMeter(groups map[string][]int) Meter { return Meter{groups, spent(groups)} }

// Each is what each of so many requests has cost since, in microseconds, by group.
func (m Meter) Each(requests float64) map[string]float64 {
	each := map[string]float64{}
	for name, now := range spent(m.groups) {
		each[name] = float64((now - m.before[name]).Microseconds()) / requests
	}
	return each
}

func spent(groups map[string][]int) map[string]time.Duration {
	spent := map[string]time.Duration{}
	all, _ := filepath.Glob("/proc/[0-9]*") // only a bad pattern fails
	for _, path := range all {
		pid, err := strconv.Atoi(filepath.Base(path))
		if err != nil {
			continue
		}
		fields := processFields(pid)
		if fields == nil {
			continue
		}
		for name, members := range groups {
			for _, first := range members {
				switch {
				case pid == first: // with those of its children that have ended
					spent[name] += ticksOf(fields[11:15])
				case fields[1] == strconv.Itoa(first):
					spent[name] += ticksOf(fields[11:13])
				}
			}
		}
	}
	return spent
}

func ticksOf(fields []string) (sum time.Duration) {
	for _, field := range fields {
		n, err := strconv.ParseInt(field, 10, 64)
		if err == nil {
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

// ResidentMegabytes is the most memory that a process had at any time; 0 where the system
// doesn't report it.
func ResidentMegabytes(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kilobytes, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 64)
			return kilobytes / 1024
		}
	}
	return 0
}
