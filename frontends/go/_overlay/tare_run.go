// Instances of benchmarks: how their functions are run, and which part of them is a request of the host.
//
// A function with `for i := 0; i < b.N; i++` is called once for each iteration. A function with `for b.Loop()` is called
// once: it waits inside Loop for the next request, so its set-up runs when the benchmark is opened, and its clean-up when
// it is closed.

package testing

import (
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
)

// tareRun is what Tare knows of a B.
type tareRun struct {
	server *tareServer
	path   []string
	// names are those that sub-benchmarks of this run have taken.
	names matcher
	// parks: Loop waits for requests. Else it ends after `loops` turns.
	parks  bool
	parked bool
	probes bool
	loops  uint64
	// total are the turns of a loop that parks.
	total uint64
	// entry is where the machine code of the function begins.
	entry uintptr
	// looped: the function has called Loop.
	looped bool
	batch  *tareBatch
	// cut: the iteration has windows.
	cut *tareCut
	tareCounts
	result any
	has    bool
	// checks: the result of this call is asked for.
	checks bool
	// begun: the loop of this call has begun. parallel: the function calls RunParallel. fixing: what a call takes without a turn is counted.
	begun, parallel, fixing bool
	// fixed is what a call of RunParallel takes of the memory; nil: that was not counted yet.
	fixed *tareFixed
}

// tareOutcome says how a function ended.
type tareOutcome struct {
	failed, skipped bool
	kind, message   string
	file            string
	line            int
}

func tareNewB(s *tareServer, parent *B, path []string) *B {
	b := &B{tare: &tareRun{server: s, path: path}}
	b.name = "Benchmark" + strings.Join(path, "/")
	b.signal = make(chan bool, 1)
	b.bench = true
	b.w = tareDiscard{}
	b.parallelism = 1
	if parent != nil {
		b.parent = &parent.common
		b.level = parent.level + 1
	}
	if with, ok := any(&b.common).(interface{ setOutputWriter() }); ok {
		with.setOutputWriter()
	}
	return b
}

type tareDiscard struct{}

func (tareDiscard) Write(text []byte) (int, error) { return len(text), nil }

// call runs a function of a benchmark to its end in a goroutine of its own, since FailNow and Skip end that.
func (s *tareServer) call(b *B, body func()) tareOutcome {
	done := make(chan tareOutcome)
	go func() {
		var outcome tareOutcome
		returned := false
		defer func() {
			if !returned {
				if thrown := recover(); thrown != nil {
					outcome = tarePanic(thrown)
				}
			}
			if with, ok := any(&b.common).(interface{ checkRaces() }); ok {
				with.checkRaces()
			}
			if thrown := b.runCleanup(recoverAndReturnPanic); thrown != nil && !outcome.failed {
				outcome = tarePanic(thrown)
			}
			if b.failed && !outcome.failed {
				outcome = tareFailure(string(b.output))
			}
			if b.skipped && !outcome.failed {
				outcome = tareFailure(string(b.output))
				outcome.failed, outcome.skipped = false, true
				if outcome.message == tareNoReason {
					outcome.message = "the benchmark skips itself, and does not say why"
				}
			}
			b.output = b.output[:0]
			done <- outcome
		}()
		body()
		returned = true
	}()
	return <-done
}

// tarePanic describes a panic, with the place in the user's code where it began.
func tarePanic(thrown any) tareOutcome {
	outcome := tareOutcome{failed: true, kind: fmt.Sprintf("%T", thrown), message: fmt.Sprint(thrown)}
	var places [64]uintptr
	frames := runtime.CallersFrames(places[:runtime.Callers(2, places[:])])
	passed := false
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasPrefix(frame.Function, "runtime."):
			passed = passed || frame.Function == "runtime.gopanic"
		case passed:
			outcome.file, outcome.line = frame.File, frame.Line
			return outcome
		}
		if !more {
			return outcome
		}
	}
}

const tareNoReason = "the benchmark says that it failed, and not why"

// tareFailure describes what Fatal, Error or Skip logged: `    file_test.go:12: message`.
func tareFailure(output string) tareOutcome {
	outcome := tareOutcome{failed: true, message: strings.TrimSpace(output)}
	place, rest, ok := strings.Cut(outcome.message, ": ")
	file, number, isPlace := strings.Cut(place, ":")
	if line, err := strconv.Atoi(number); ok && isPlace && err == nil {
		outcome.file, outcome.line, outcome.message = file, line, rest
	}
	if outcome.message == "" {
		outcome.message = tareNoReason
	}
	return outcome
}

func (s *tareServer) exception(step string, outcome tareOutcome) {
	reply := map[string]any{"reply": "error", "kind": "exception", "step": step, "message": outcome.message}
	if outcome.kind != "" {
		reply["type"] = outcome.kind
	}
	if outcome.file != "" {
		reply["file"], reply["line"] = outcome.file, outcome.line
	}
	s.reply(reply)
}

// open makes an instance, answers what the host asks of it, and returns when it is closed.
func (s *tareServer) open(c *tareCase) {
	s.found, s.inner = false, tareOutcome{}
	var outcome tareOutcome
	if len(c.path) == 1 {
		outcome = s.leaf(nil, c.path, c.top.F)
	} else {
		// As `go test` does, the functions above a benchmark are called once with N = 1.
		b := tareNewB(s, nil, c.path[:1])
		outcome = s.call(b, func() { s.once(b, c.top.F, 1) })
		if s.inner.failed {
			outcome = s.inner
		}
	}
	if s.opened == nil {
		s.notOpened(outcome)
		return
	}
	if s.pending != nil && s.pending.verb != "close" && s.pending.verb != "bye" {
		if !outcome.failed && outcome.message == "" {
			outcome.message = "the function returned before `b.Loop` was false: its loop has a `break` or a `return`"
		}
		s.exception("body", outcome)
	}
	for s.pending == nil {
		switch request := s.next(); request.verb {
		case "close", "bye":
			outcome = tareOutcome{}
		default:
			s.exception("set-up", tareOutcome{message: "there is no instance any more"})
		}
	}
	s.opened = nil
	if s.pending.verb == "close" {
		if outcome.failed {
			s.exception("clean-up", outcome)
		} else {
			s.reply(map[string]any{"reply": "closed"})
		}
	}
}

const tareUnreached = "it is not reached: the sub-benchmarks must have the same names in every process"

// notOpened answers `open` where no instance was made.
func (s *tareServer) notOpened(outcome tareOutcome) {
	switch {
	case s.pending == nil:
	case outcome.skipped:
		s.refuse("skipped", outcome.message)
	case outcome.failed:
		s.exception("set-up", outcome)
	default:
		s.exception("set-up", tareOutcome{message: tareUnreached})
	}
}

// run stands in for b.Run: only what leads to the opened benchmark is run.
func (r *tareRun) run(b *B, name string, f func(*B)) bool {
	s := r.server
	b.hasSub.Store(true)
	path := append(append([]string{}, r.path...), r.unique(name))
	if s.listing != nil {
		s.listing.sub(b, path, f)
		return true
	}
	wanted := s.wanted()
	if s.found || len(path) > len(wanted) || strings.Join(path, "/") != strings.Join(wanted[:len(path)], "/") {
		return true
	}
	var outcome tareOutcome
	if len(path) == len(wanted) {
		s.found = true
		outcome = s.leaf(b, path, f)
		s.inner = outcome
	} else {
		sub := tareNewB(s, b, path)
		outcome = s.call(sub, func() { s.once(sub, f, 1) })
	}
	switch {
	case outcome.skipped && s.opened == nil && s.pending != nil:
		s.refuse("skipped", outcome.message)
	case outcome.failed && s.opened == nil && s.pending != nil:
		s.exception("set-up", outcome)
	}
	return !outcome.failed
}

func (s *tareServer) wanted() []string {
	if s.opened != nil {
		return s.opened.path
	}
	if s.pending != nil && s.pending.verb == "open" {
		return s.asked.path
	}
	return nil
}

// unique is the name that `testing` gives a sub-benchmark: without spaces, and with a number where it was used before.
func (r *tareRun) unique(name string) string {
	if r.names.subNames == nil {
		r.names.subNames = map[string]int32{}
	}
	return strings.TrimPrefix(r.names.unique("", rewrite(name)), "/")
}

// leaf opens one benchmark and answers until it is closed or gone.
func (s *tareServer) leaf(parent *B, path []string, f func(*B)) tareOutcome {
	b := tareNewB(s, parent, path)
	r := b.tare
	source := tareSourceOf(f)
	r.parks = !source.readsAfterLoop()
	r.entry = reflect.ValueOf(f).Pointer()
	// With N = 0 a loop over b.N does nothing: this runs the set-up alone, and shows whether the function calls Loop.
	r.probes = true
	outcome := s.call(b, func() { s.once(b, f, 0) })
	r.probes = false
	if r.parked || outcome.skipped || outcome.failed && source.onlyLoops() {
		return outcome
	}
	// A function that cannot be called with N = 0 is no failure: what is wrong with it shows when it is measured.
	tareForgive(b)
	s.opened = s.asked
	s.reply(s.asked.openedBy(b))
	for {
		request := s.next()
		switch request.verb {
		case "close", "bye":
			return tareOutcome{}
		case "check":
			r.result, r.has, r.checks = nil, false, true
			outcome = s.call(b, func() { s.once(b, f, 1) })
			r.checks = false
			s.checked(b, outcome)
		case "measure", "diagnose":
			s.measureCalls(request, b, f)
		}
		tareForgive(b)
	}
}

// tareForgive takes back a failure, which Fail has noted in the functions above too: the next request starts afresh.
func tareForgive(b *B) {
	b.finished, b.skipped = false, false
	for c := &b.common; c != nil; c = c.parent {
		c.failed = false
	}
}

func (s *tareServer) checked(b *B, outcome tareOutcome) {
	if outcome.failed || outcome.skipped {
		s.exception("body", outcome)
		return
	}
	reply := map[string]any{"reply": "checked", "digest": nil, "text": nil}
	if text, ok := tareText(b.tare.result); ok && b.tare.has {
		reply["digest"], reply["text"] = tareDigest(text), tareBeginning(text)
	}
	s.reply(reply)
}

// measureCalls measures a function that runs its loop in each call.
func (s *tareServer) measureCalls(request *tareRequest, b *B, f func(*B)) {
	iterations, invocations, lead := request.numbers[0], request.numbers[1], request.numbers[2]
	if request.words[0] == "overhead" {
		f = tareEmpty
		if b.tare.looped {
			f = tareEmptyLoop
		}
		b = tareNewB(s, nil, b.tare.path)
	}
	s.fix(b, f)
	columns := tareNewColumns(int(iterations), request.windows())
	outcome := s.call(b, func() {
		if lead > 0 {
			s.once(b, f, lead)
		}
		s.profile()
		b.tare.cut = request.cut()
		for i := uint64(0); i < iterations; i++ {
			before := tareProbe()
			s.once(b, f, invocations)
			columns.add(b, before, tareProbe())
		}
	})
	if outcome.failed || outcome.skipped {
		s.exception("body", outcome)
		return
	}
	s.measured(columns)
}

// once calls the function for n invocations, timed by the timer of its B.
func (s *tareServer) once(b *B, f func(*B), n uint64) {
	r := b.tare
	b.N = int(n)
	r.loops = n
	r.begun = false
	tareClearLoop(b)
	tareContext(b)
	b.parallelism = 1
	b.ResetTimer()
	b.StartTimer()
	f(b)
	b.StopTimer()
	b.previousN, b.previousDuration = b.N, b.duration
	if n > 0 {
		b.runCleanup(normalPanic)
	}
}

// tareEmpty is the loop of a benchmark without a body.
func tareEmpty(b *B) {
	for i := 0; i < b.N; i++ {
	}
}

// tareBatch is a request that a function is measured for inside its Loop.
type tareBatch struct {
	columns *tareColumns
	request *tareRequest
	// left are the iterations that are still to begin, lead included.
	left   uint64
	isLead bool
	before int64
	checks bool
	// cut: its iterations have windows.
	cut *tareCut
}

// loop stands in for what Loop does when its count is used up. False ends the loop.
func (r *tareRun) loop(b *B) bool {
	first := !r.looped
	r.looped = true
	s := r.server
	if !b.timerOn {
		b.Fatal("B.Loop called with timer stopped")
	}
	if s.listing != nil || !r.parks && r.probes {
		return false
	}
	if !r.parks {
		if first || tareTurns(b) == 0 {
			b.ResetTimer()
			tareBeginLoop(b, r.loops)
			if r.cut != nil {
				r.cut.begin(b)
			}
			return true
		}
		if r.cut != nil && r.cut.next(b) {
			return true
		}
		b.StopTimer()
		b.N = int(r.loops)
		tareEndLoop(b)
		return false
	}
	if r.batch != nil && r.cut != nil && r.cut.next(b) {
		return true
	}
	b.StopTimer()
	if r.batch != nil {
		if r.batch.ended(b) {
			return r.begin(b)
		}
		r.answer(b)
	} else if !r.parked {
		r.parked = true
		s.opened = s.asked
		s.reply(s.asked.openedBy(b))
	}
	return r.wait(b)
}

// wait reads requests inside Loop until one wants the body to run, or the loop to end.
func (r *tareRun) wait(b *B) bool {
	s := r.server
	for {
		request := s.next()
		switch request.verb {
		case "close", "bye":
			b.N = int(tareMax(r.total, 1))
			tareEndLoop(b)
			return false
		case "check":
			r.result, r.has = nil, false
			r.batch = &tareBatch{request: request, left: 1, checks: true}
			return r.begin(b)
		case "measure", "diagnose":
			if request.words[0] == "overhead" {
				s.measureCalls(request, b, nil)
				continue
			}
			iterations, lead := request.numbers[0], request.numbers[2]
			r.batch = &tareBatch{request: request, left: iterations, columns: tareNewColumns(int(iterations), request.windows()), cut: request.cut()}
			if lead > 0 {
				r.batch.left++
				r.batch.isLead = true
			}
			return r.begin(b)
		}
	}
}

// begin starts the next iteration of the batch.
func (r *tareRun) begin(b *B) bool {
	t := r.batch
	t.left--
	turns := uint64(1)
	r.cut = nil
	if !t.checks {
		turns = t.request.numbers[1]
		if t.isLead {
			turns = t.request.numbers[2]
		} else {
			r.server.profile()
			t.before = tareProbe()
			r.cut = t.cut
		}
	}
	r.total += turns * uint64(tareMax(t.request.windows(), 1))
	tareBeginLoop(b, turns)
	b.ResetTimer()
	b.StartTimer()
	if r.cut != nil {
		r.cut.begin(b)
	}
	return true
}

// ended notes the iteration that was run. True: another one follows.
func (t *tareBatch) ended(b *B) bool {
	switch {
	case t.isLead:
		t.isLead = false
	case !t.checks:
		t.columns.add(b, t.before, tareProbe())
	}
	return t.left > 0
}

func (r *tareRun) answer(b *B) {
	t := r.batch
	r.batch = nil
	if b.failed {
		r.server.exception("body", tareFailure(string(b.output)))
		b.output = b.output[:0]
		tareForgive(b)
		return
	}
	if t.checks {
		r.server.checked(b, tareOutcome{})
		return
	}
	r.server.measured(t.columns)
}

// TareWants: the result of this call is asked for. Else it is not made into a value of any type, which takes memory.
func (b *B) TareWants() bool {
	return b.tare != nil && (b.tare.checks || b.tare.batch != nil && b.tare.batch.checks)
}

// TareResult takes what the body returned, to be compared with what others return; see the package tare.
func (b *B) TareResult(value any) {
	if b.tare != nil {
		b.tare.result, b.tare.has = value, true
	}
}
