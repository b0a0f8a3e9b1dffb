// What Tare adds to the package `testing` while it builds a test binary: a child that answers the requests of a host
// (spec/protocol.md) and drives benchmarks by the timer of their own B. Nothing of it is in a binary that `go test` builds.

package testing

import (
	"encoding/json"
	"flag"
	"fmt"
	"internal/race"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

const (
	tareVersion = "0.1.0"
)

// tareRequest is one line of the host.
type tareRequest struct {
	verb  string
	words []string
	// numbers are the words that are numbers.
	numbers []uint64
}

// tareServer answers requests, one at a time. Whichever goroutine has control reads the next one: the goroutine of a body
// reads while the others wait for it, so that no visit begins with a change of goroutines.
type tareServer struct {
	in, out int
	buffer  []byte
	cases   []*tareCase
	tops    []InternalBenchmark
	// importPath is the package that the benchmarks are of.
	importPath string
	// asked is the benchmark that is to be opened.
	asked *tareCase
	// opened is the benchmark of which an instance may exist.
	opened *tareCase
	// races are those that the detector of data races had found at the last reply.
	races int
	// pending is the request that has no reply yet.
	pending *tareRequest
	// listing collects cases in place of running them.
	listing *tareListing
	// found: the run of the functions above the opened benchmark has come to it.
	found bool
	// inner is how the opened benchmark ended, below the functions above it.
	inner tareOutcome
	deps  testDeps
	// profiler takes samples for the pending request; unprofiled: why it does not.
	profiler   *tareProfiler
	unprofiled error
}

// tareServing is the server of this process.
var tareServing *tareServer

// tareServe speaks the protocol, if a host started this process. False: this is an ordinary `go test`.
func tareServe(m *M) bool {
	link, ok := os.LookupEnv("TARE_LINK")
	if !ok {
		return false
	}
	os.Unsetenv("TARE_LINK")
	if !flag.Parsed() {
		flag.Parse()
	}
	in, out, ok := tareDescriptors(link)
	if !ok {
		fmt.Fprintf(os.Stderr, "tare: TARE_LINK is not of the form fd:R,W: %q\n", link)
		os.Exit(2)
	}
	syscall.CloseOnExec(in)
	syscall.CloseOnExec(out)
	s := &tareServer{in: in, out: out, tops: m.benchmarks, importPath: m.deps.ImportPath(), deps: m.deps}
	tareServing = s
	s.ready()
	return true
}

func tareDescriptors(link string) (in, out int, ok bool) {
	text, ok := strings.CutPrefix(link, "fd:")
	if !ok {
		return 0, 0, false
	}
	left, right, ok := strings.Cut(text, ",")
	if !ok {
		return 0, 0, false
	}
	in, first := strconv.Atoi(left)
	out, second := strconv.Atoi(right)
	return in, out, first == nil && second == nil && in >= 0 && out >= 0
}

// ready answers until the host says goodbye.
func (s *tareServer) ready() {
	for {
		request := s.next()
		if request.verb == "bye" {
			s.bye()
			return
		}
		if s.asked = s.find(request); s.asked == nil {
			s.exception("set-up", tareOutcome{message: tareUnreached})
			continue
		}
		s.open(s.asked)
		if s.pending != nil && s.pending.verb == "bye" {
			s.bye()
			return
		}
	}
}

// find is the benchmark that the host wants: by its key, since a function that ranges over a map runs its sub-benchmarks
// in another order in each process.
func (s *tareServer) find(r *tareRequest) *tareCase {
	list := s.list()
	for at := range list {
		c := list[(at+int(r.numbers[0]))%len(list)]
		if len(r.words) < 3 || tareDigest(c.Name) == r.words[2] {
			return c
		}
	}
	return nil
}

// next reads requests, and answers those that need no body. It returns with one that does, or that ends a state.
func (s *tareServer) next() *tareRequest {
	for {
		line, ok := s.read()
		if !ok {
			os.Exit(0)
		}
		request := tareParse(line)
		s.pending = request
		if !s.fits(request.verb) {
			fmt.Fprintf(os.Stderr, "tare: cannot answer `%s` here\n", line)
			os.Exit(2)
		}
		switch request.verb {
		case "hello":
			s.hello(request)
		case "list":
			for index, c := range s.list() {
				s.send(c.line(index))
			}
			s.reply(map[string]any{"reply": "end", "count": len(s.cases)})
		case "collect":
			s.reply(map[string]any{"reply": "collected", "live_bytes": tareCollect()})
		default:
			return request
		}
	}
}

// windows is how many windows each iteration is cut into; 0: none.
func (r *tareRequest) windows() int {
	if len(r.numbers) < 4 {
		return 0
	}
	return int(r.numbers[3])
}

// cut is what cuts an iteration; nil: nothing does.
func (r *tareRequest) cut() *tareCut {
	if r.windows() == 0 {
		return nil
	}
	return &tareCut{turns: r.numbers[1], marks: make([]int64, 0, 2*r.windows()+2)}
}

func tareParse(line string) *tareRequest {
	words := strings.Split(line, " ")
	request := &tareRequest{verb: words[0], words: words[1:]}
	for _, word := range request.words {
		if number, err := strconv.ParseUint(word, 10, 64); err == nil {
			request.numbers = append(request.numbers, number)
		}
	}
	return request
}

// fits says whether the verb is one of the state (R9, R11).
func (s *tareServer) fits(verb string) bool {
	switch verb {
	case "hello", "bye":
		return true
	case "list", "open":
		return s.opened == nil
	case "check", "measure", "diagnose", "collect", "close":
		return s.opened != nil
	}
	return false
}

func (s *tareServer) hello(r *tareRequest) {
	if r.numbers[0] != 1 {
		s.reply(map[string]any{"reply": "error", "kind": "version", "message": "this child speaks version 1", "versions": []int{1}})
		return
	}
	flags, optimised := tareBuild()
	capabilities := append([]string{"probe", "windows", "collect", "diagnose", "code"}, tareCapabilities...)
	metrics := []map[string]any{
		{"name": "allocated_bytes", "unit": "B", "better": "lower"},
		{"name": "allocations", "better": "lower"},
		{"name": "collections", "better": "lower"},
	}
	for _, unit := range tareUnits {
		metrics = append(metrics, map[string]any{"name": tareMetric(unit), "unit": unit, "per": "iteration"})
	}
	s.reply(map[string]any{
		"reply": "hello", "protocol": 1, "language": "go", "front_end": "tare-go " + tareVersion,
		"runtime": runtime.Version(), "compiler": runtime.Compiler + " " + runtime.Version(), "flags": flags,
		"optimised": optimised, "debugger": tareObserved(), "clock": "time.Now", "clock_resolution_ns": tareResolution(),
		"unroll": 1, "probe_cycles": tareProbeSteps, "width_additions": tareWidthSteps, "width_per_process": true, "width_per_runtime": true,
		"collects": true, "capabilities": capabilities, "metrics": metrics,
		"diagnosers": []map[string]any{{"name": tareProfileName, "metrics": []any{}, "gives": []string{"stacks", "attachments"}}},
	})
}

// read is the next line without its end. The call keeps the processor of the scheduler: when it gives it away while it
// waits, as a blocking read does, getting it back falls into the first millisecond of a visit.
func (s *tareServer) read() (string, bool) {
	for {
		for i, b := range s.buffer {
			if b == '\n' {
				line := string(s.buffer[:i])
				s.buffer = append(s.buffer[:0], s.buffer[i+1:]...)
				return line, true
			}
		}
		var part [512]byte
		n, ok := tareRead(s.in, part[:])
		if !ok {
			return "", false
		}
		s.buffer = append(s.buffer, part[:n]...)
	}
}

// bye ends the process. The detector of data races would give it a status of its own, and they were reported already.
func (s *tareServer) bye() {
	s.reply(map[string]any{"reply": "bye"})
	if race.Enabled {
		syscall.Exit(0)
	}
}

// raced is the answer of a body in which the detector has found data races since the last one, else `reply`.
func (s *tareServer) raced(reply map[string]any) map[string]any {
	found := race.Errors()
	isNew := found > s.races
	s.races = found
	if kind := reply["reply"]; !isNew || kind != "measured" && kind != "checked" {
		return reply
	}
	return map[string]any{
		"reply": "error", "kind": "exception", "step": "body", "type": "data race",
		"message": "two goroutines use the same memory at once, and one of them writes",
	}
}

// reply answers the pending request.
func (s *tareServer) reply(reply map[string]any) {
	reply = s.raced(reply)
	s.unprofile()
	s.pending = nil
	s.send(reply)
}

func (s *tareServer) refuse(kind, message string) {
	s.reply(map[string]any{"reply": "error", "kind": kind, "message": message})
}

func (s *tareServer) send(reply map[string]any) {
	text, err := json.Marshal(reply)
	if err != nil {
		text, _ = json.Marshal(map[string]any{"reply": "error", "kind": "not-supported", "message": err.Error()})
	}
	text = append(text, '\n')
	for len(text) > 0 {
		n, err := syscall.Write(s.out, text)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			os.Exit(0)
		}
		text = text[n:]
	}
}
