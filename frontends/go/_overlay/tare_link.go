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
	tareVersion    = "0.1.0"
	tareLine       = 255
	tareIterations = 100_000
)

// tareRequest is one line of the host.
type tareRequest struct {
	verb  string
	words []string
	// numbers are the words, where the verb has numbers.
	numbers []uint64
}

// tareServer answers requests, one at a time. Whichever goroutine has control reads the next one: the goroutine of a body
// reads while the others wait for it, so that no visit begins with a change of goroutines.
type tareServer struct {
	in, out int
	buffer  []byte
	greeted bool
	cases   []*tareCase
	tops    []InternalBenchmark
	// importPath is the package that the benchmarks are of.
	importPath string
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
		s.open(s.list()[request.numbers[0]])
		if s.pending != nil && s.pending.verb == "bye" {
			s.bye()
			return
		}
	}
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
		if kind, message := s.wrong(request, len(line)+1); kind != "" {
			s.refuse(kind, message)
			continue
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

func tareParse(line string) *tareRequest {
	words := strings.Split(line, " ")
	return &tareRequest{verb: words[0], words: words[1:]}
}

// wrong is the first error that applies to a request, as section 4 of the protocol orders them.
func (s *tareServer) wrong(r *tareRequest, length int) (kind, message string) {
	switch {
	case !s.greeted && (r.verb != "hello" || length > tareLine):
		return "bad-state", "the first request is hello"
	case length > tareLine:
		return "bad-request", "the line is too long"
	}
	switch r.verb {
	case "hello", "bye":
	case "list", "open":
		if s.opened != nil {
			return "bad-state", r.verb + " is for the state ready"
		}
	case "check", "measure", "diagnose", "collect", "close":
		if s.opened == nil {
			return "bad-state", r.verb + " is for the state opened"
		}
	default:
		return "unknown-request", "there is no request " + strconv.Quote(r.verb)
	}
	return s.wrongArguments(r)
}

func (s *tareServer) wrongArguments(r *tareRequest) (kind, message string) {
	words := r.words
	want := map[string]int{"open": 2, "measure": 4, "diagnose": 4}[r.verb]
	switch {
	case r.verb == "hello" && len(words) == 0, r.verb != "hello" && len(words) != want:
		return "bad-request", "wrong number of arguments"
	case r.verb == "hello":
		words = words[:1]
	case r.verb == "measure":
		words = words[1:]
		if loop := r.words[0]; loop != "workload" && loop != "overhead" && loop != "rolled" {
			return "bad-request", "there is no loop " + strconv.Quote(loop)
		}
	case r.verb == "diagnose":
		words = words[1:]
	}
	for _, word := range words {
		number, ok := tareNumber(word)
		if !ok {
			return "bad-request", strconv.Quote(word) + " is not a number"
		}
		r.numbers = append(r.numbers, number)
	}
	runs := r.verb == "measure" || r.verb == "diagnose"
	switch {
	case r.verb == "open" && r.numbers[0] >= uint64(len(s.list())):
		return "bad-request", "there is no benchmark of this index"
	case runs && (r.numbers[0] < 1 || r.numbers[0] > tareIterations || r.numbers[1] < 1):
		return "bad-request", "a number is outside its limits"
	case r.verb == "measure" && r.words[0] == "rolled":
		return "not-supported", "the loop is in the benchmark itself, and cannot be rolled"
	case r.verb == "diagnose" && r.words[0] != tareProfileName:
		return "not-supported", "there is no diagnoser " + strconv.Quote(r.words[0])
	case runs && (r.numbers[1] > 1<<62 || r.numbers[2] > 1<<62):
		return "not-supported", "a number of invocations is larger than b.N can be"
	}
	return "", ""
}

// tareNumber reads a decimal number without sign.
func tareNumber(word string) (uint64, bool) {
	for _, digit := range word {
		if digit < '0' || digit > '9' {
			return 0, false
		}
	}
	number, err := strconv.ParseUint(word, 10, 64)
	return number, err == nil
}

func (s *tareServer) hello(r *tareRequest) {
	if r.numbers[0] != 1 {
		s.reply(map[string]any{"reply": "error", "kind": "version", "message": "this child speaks version 1", "versions": []int{1}})
		return
	}
	s.greeted = true
	flags, optimised := tareBuild()
	capabilities := append([]string{"probe", "collect", "diagnose", "code"}, tareCapabilities...)
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
		"unroll": 1, "probe_cycles": tareProbeSteps, "collects": true, "capabilities": capabilities, "metrics": metrics,
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
