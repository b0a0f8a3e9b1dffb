// What is read around the timed part of a benchmark, and given to the host as columns.

package testing

import (
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// tareProbeSteps is the length of the clock probe: dependent additions and exclusive ors, of one cycle each.
const tareProbeSteps = 16 * 1024

var (
	tareAddend uint64 = 0x9e3779b97f4a7c15
	tareSunk   uint64
)

//go:noinline
func tareChain(x, k uint64, turns int) uint64 {
	for i := 0; i < turns; i++ {
		x = (x + k) ^ k
		x = (x + k) ^ k
		x = (x + k) ^ k
		x = (x + k) ^ k
		x = (x + k) ^ k
		x = (x + k) ^ k
		x = (x + k) ^ k
		x = (x + k) ^ k
	}
	return x
}

// tareProbe is the time of the clock probe, ns. A few steps go first: its code must be in the caches.
func tareProbe() int64 {
	tareSunk = tareChain(tareSunk, tareAddend, 16)
	begin := time.Now()
	tareSunk = tareChain(tareSunk, tareAddend, tareProbeSteps/16)
	return tareMax(int64(time.Since(begin)), 1)
}

// tareWidthSteps is the length of the width probe: additions and exclusive ors of one cycle, six of which depend on nothing of each other.
const tareWidthSteps = 14400

//go:noinline
func tareWidth(k uint64) uint64 {
	a, b, c, d, e, f := k+3, k+5, k+7, k+11, k+13, k+17
	for i := 0; i < tareWidthSteps/48; i++ {
		a, b, c, d, e, f = a+k, b+k, c+k, d+k, e+k, f+k
		a, b, c, d, e, f = a^k, b^k, c^k, d^k, e^k, f^k
		a, b, c, d, e, f = a+k, b+k, c+k, d+k, e+k, f+k
		a, b, c, d, e, f = a^k, b^k, c^k, d^k, e^k, f^k
		a, b, c, d, e, f = a+k, b+k, c+k, d+k, e+k, f+k
		a, b, c, d, e, f = a^k, b^k, c^k, d^k, e^k, f^k
		a, b, c, d, e, f = a+k, b+k, c+k, d+k, e+k, f+k
		a, b, c, d, e, f = a^k, b^k, c^k, d^k, e^k, f^k
	}
	return a + b + c + d + e + f
}

// tareCut cuts an iteration of a Loop into windows, with a reading of the width probe before the first and after each.
type tareCut struct {
	turns uint64
	// marks are what the timer says at the ends of all readings.
	marks []int64
}

// begin is called when the timer has started.
func (c *tareCut) begin(b *B) {
	c.marks = c.marks[:0]
	c.read(b)
}

// next is called when the turns of a window are used up. True: another one has begun.
func (c *tareCut) next(b *B) bool {
	c.read(b)
	if len(c.marks) == cap(c.marks) {
		return false
	}
	tareBeginLoop(b, c.turns)
	return true
}

func (c *tareCut) read(b *B) {
	c.marks = append(c.marks, int64(b.Elapsed()))
	tareSunk = tareWidth(tareAddend)
	c.marks = append(c.marks, int64(b.Elapsed()))
}

// tareResolution is the smallest step of the clock: the smallest difference between the lengths of two pairs of reads.
func tareResolution() int64 {
	shortest := int64(math.MaxInt64)
	before := int64(-1)
	for i := 0; i < 1000; i++ {
		begin := time.Now()
		length := int64(time.Since(begin))
		if difference := length - before; before >= 0 && difference != 0 {
			shortest = tareMin(shortest, tareMax(difference, -difference))
		}
		before = length
	}
	if shortest == math.MaxInt64 {
		return 1
	}
	return shortest
}

// tareCounts are the counters of the timed part, which the timer of a B starts and stops.
type tareCounts struct {
	from  tareUse
	use   tareUse
	moved bool
	// starts is how often the timer was started.
	starts      int64
	beginGC     uint32
	collections uint32
}

// started is called right before the timer starts, after the memory was counted.
func (r *tareRun) started() {
	if r == nil {
		return
	}
	r.beginGC = memStats.NumGC
	r.starts++
	r.from = tareUsed(false)
}

// stopped is called right after the timer has stopped.
func (r *tareRun) stopped() {
	if r == nil {
		return
	}
	end := tareUsed(true)
	reading := tareReading()
	cpu, process := end.cpu-r.from.cpu-reading.cpu, end.process-r.from.process-reading.cpu-reading.process
	// Where its first thread waited, the goroutine may have run on another one and come back.
	if end.thread != r.from.thread || end.waits > r.from.waits {
		r.moved = true
	} else {
		process = tareMax(process, cpu)
	}
	r.use.cpu += cpu
	r.use.process += process
	r.use.switches += end.switches - r.from.switches
	r.use.waits += end.waits - r.from.waits
}

// tareWakingNs is what other threads may do after a start of the timer and be no work of the body. Counting the memory stops
// all goroutines, and the scheduler then wakes threads that look for work for a while; ns.
const tareWakingNs = 20_000

// tareReadingUse is what tareReading has found; nil: nothing yet.
var tareReadingUse *tareUse

// tareReading is the CPU time that the readings around an empty part take; ns: that of the thread, and that of the process beyond
// it. A body that starts and stops its timer in every turn has them in each.
func tareReading() tareUse {
	if tareReadingUse == nil {
		var threads, others [31]int64
		for i := range threads {
			from, end := tareUsed(false), tareUsed(true)
			threads[i] = tareMax(end.cpu-from.cpu, 0)
			others[i] = tareMax(end.process-from.process-(end.cpu-from.cpu), 0)
		}
		tareReadingUse = &tareUse{cpu: tareMedian(threads[:]), process: tareMedian(others[:])}
	}
	return *tareReadingUse
}

// tareMedian is the middle one of an odd number of values, which it sorts.
func tareMedian(values []int64) int64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// counted is called after the memory was counted behind the timed part.
func (r *tareRun) counted() {
	if r != nil {
		r.collections += memStats.NumGC - r.beginGC
	}
}

// reset is called when the timer is set to 0.
func (r *tareRun) reset() {
	if r != nil {
		r.use, r.moved, r.starts, r.collections = tareUse{}, false, 0, 0
	}
}

// tareColumns is a reply `measured` in the making; its memory is had before the first iteration.
type tareColumns struct {
	elapsed, before, after []int64
	windows, widths        []int64
	use                    []tareUse
	bytes, allocations     []uint64
	collections            []uint32
	extra                  [][]any
	// events tell of metrics that were NaN or an infinity, or have no column.
	events []map[string]any
}

func tareNewColumns(n, windows int) *tareColumns {
	c := &tareColumns{
		elapsed: make([]int64, 0, n), before: make([]int64, 0, n), after: make([]int64, 0, n), use: make([]tareUse, 0, n),
		windows: make([]int64, 0, n*windows), widths: make([]int64, 0, n*(windows+1)),
		bytes: make([]uint64, 0, n), allocations: make([]uint64, 0, n), collections: make([]uint32, 0, n),
	}
	for range tareUnits {
		c.extra = append(c.extra, make([]any, 0, n))
	}
	return c
}

func (c *tareColumns) add(b *B, before, after int64) {
	r := b.tare
	use := r.use
	if r.moved {
		// The clock of a thread does not follow a goroutine to another one. It has not worked longer than the process, nor
		// than the time; and the thread has waited, or the goroutine would have stayed.
		use.cpu = tareMin(use.process, int64(b.duration))
		use.waits = tareMax(use.waits, 1)
		use.switches = tareMax(use.switches, 0)
	}
	// A thread does not work longer than the time; what is left are readings that took longer than usual.
	if excess := use.cpu - int64(b.duration); excess > 0 {
		use.cpu, use.process = use.cpu-excess, use.process-excess
	}
	if others := use.process - use.cpu; r.starts > 1 && others < r.starts*tareWakingNs {
		use.process = use.cpu
	}
	c.elapsed = append(c.elapsed, c.cut(b))
	c.before, c.after = append(c.before, before), append(c.after, after)
	c.use = append(c.use, use)
	fixed := r.fixed.get()
	c.bytes = append(c.bytes, b.netBytes-tareMin(fixed.bytes, b.netBytes))
	c.allocations = append(c.allocations, b.netAllocs-tareMin(fixed.allocations, b.netAllocs))
	c.collections = append(c.collections, r.collections)
	c.undeclared(b)
	for i, unit := range tareUnits {
		value, reported := b.extra[unit]
		if reported && value >= 0 && !math.IsInf(value, 0) {
			c.extra[i] = append(c.extra[i], value)
		} else {
			c.extra[i] = append(c.extra[i], nil)
		}
		if reported && (math.IsNaN(value) || math.IsInf(value, 0)) {
			event := map[string]any{"iteration": len(c.elapsed) - 1, "kind": "not-finite", "at_ns": 0, "ns": 0}
			c.events = append(c.events, event)
		}
	}
}

// cut is the time of the iteration: where it was cut, of its windows.
func (c *tareColumns) cut(b *B) int64 {
	if b.tare.cut == nil {
		return int64(b.duration)
	}
	marks, sum := b.tare.cut.marks, int64(0)
	for i := 1; i < len(marks); i++ {
		ns := tareMax(marks[i]-marks[i-1], 0)
		if i%2 == 1 {
			c.widths = append(c.widths, tareMax(ns, 1))
			continue
		}
		c.windows = append(c.windows, ns)
		sum += ns
	}
	return sum
}

// undeclared tells of metrics whose unit is no text in the source, as their columns had to be known before.
func (c *tareColumns) undeclared(b *B) {
	for unit := range b.extra {
		switch unit {
		case "ns/op", "MB/s", "B/op", "allocs/op":
			continue
		}
		if !slices.Contains(tareUnits, unit) {
			event := map[string]any{"iteration": len(c.elapsed) - 1, "kind": "undeclared-metric:" + unit, "at_ns": 0, "ns": 0}
			c.events = append(c.events, event)
		}
	}
}

func (c *tareColumns) measured() map[string]any {
	metrics := map[string]any{"allocated_bytes": c.bytes, "allocations": c.allocations, "collections": c.collections}
	for i, unit := range tareUnits {
		metrics[tareMetric(unit)] = c.extra[i]
	}
	reply := map[string]any{
		"reply": "measured", "elapsed_ns": c.elapsed, "probe_before_ns": c.before, "probe_after_ns": c.after, "metrics": metrics,
	}
	if len(c.widths) > 0 {
		reply["window_ns"], reply["width_ns"] = c.windows, c.widths
	}
	tareUseColumns(reply, c.use)
	if len(c.events) > 0 {
		reply["events"] = c.events
	}
	return reply
}

// tareMetric is the name of a metric with a unit of ReportMetric: `cells/op` is `cells_op`.
func tareMetric(unit string) string {
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		if c >= 'A' && c <= 'Z' {
			return c - 'A' + 'a'
		}
		return '_'
	}, unit)
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = "m" + name
	}
	return name[:tareMin(len(name), 40)]
}

// tareCollect collects all garbage, and gives the bytes that are alive.
func tareCollect() uint64 {
	// Twice: what a finalizer keeps alive is freed by the second one.
	runtime.GC()
	runtime.GC()
	debug.FreeOSMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// tareBuild is what the compiler was told, and whether it optimised.
func tareBuild() (flags string, optimised bool) {
	optimised = true
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", optimised
	}
	var all []string
	for _, setting := range info.Settings {
		switch setting.Key {
		case "-gcflags", "-ldflags", "-tags", "-race", "GOAMD64", "GOARM64", "GOEXPERIMENT":
			all = append(all, setting.Key+"="+setting.Value)
		}
		if setting.Key == "-gcflags" && (strings.Contains(setting.Value, "-N") || strings.Contains(setting.Value, "-l")) {
			optimised = false
		}
	}
	return strings.Join(all, " "), optimised
}

// tareObserved: instrumentation is in the program.
func tareObserved() bool {
	if CoverMode() != "" {
		return true
	}
	info, ok := debug.ReadBuildInfo()
	for i := 0; ok && i < len(info.Settings); i++ {
		switch setting := info.Settings[i]; setting.Key {
		case "-race", "-msan", "-asan":
			if setting.Value == "true" {
				return true
			}
		}
	}
	return false
}

// The package testing has functions min and max of its own before Go 1.22.

func tareMin[T int | int32 | int64 | uint64](a, b T) T {
	if a < b {
		return a
	}
	return b
}

func tareMax[T int | int32 | int64 | uint64](a, b T) T {
	if a > b {
		return a
	}
	return b
}
