// The diagnoser `profile`: where the time of a body goes, by the profiler of Go itself.

package testing

import (
	"bytes"
	"encoding/base64"
	"internal/profile"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

const (
	tareProfileName = "profile"
	// tareProfileRate is how many samples are taken in a second of processor time. The system takes no more than one in each
	// of its ticks.
	tareProfileRate = 499
	// tareProfileOwn is the frame below which all is that Tare does.
	tareProfileOwn = "tare"
)

// tareProfiler takes samples from the start to the end.
type tareProfiler struct {
	deps    testDeps
	content bytes.Buffer
}

// tareStartProfile begins to take samples. The rate stays the first one that is asked for; the runtime says so on standard error.
func tareStartProfile(deps testDeps) (*tareProfiler, error) {
	p := &tareProfiler{deps: deps}
	runtime.SetCPUProfileRate(tareProfileRate)
	if err := deps.StartCPUProfile(&p.content); err != nil {
		return nil, err
	}
	return p, nil
}

// stop ends it, and gives what was found.
func (p *tareProfiler) stop() (map[string]any, error) {
	p.deps.StopCPUProfile()
	parsed, err := profile.Parse(bytes.NewReader(p.content.Bytes()))
	if err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	for _, sample := range parsed.Sample {
		if len(sample.Value) > 0 && sample.Value[0] > 0 {
			counts[strings.Join(tareStack(sample), ";")] += sample.Value[0]
		}
	}
	stacks := make([]string, 0, len(counts))
	for stack, count := range counts {
		stacks = append(stacks, stack+" "+strconv.FormatInt(count, 10))
	}
	sort.Strings(stacks)
	file := map[string]any{
		"name": "profile.pb.gz", "title": "for `go tool pprof`", "media_type": "application/vnd.google.pprof",
		"base64": base64.StdEncoding.EncodeToString(p.content.Bytes()),
	}
	return map[string]any{"stacks": stacks, "attachments": []map[string]any{file}}, nil
}

// tareStack is a sample from the body to its innermost frame, as the protocol has it.
func tareStack(sample *profile.Sample) []string {
	var frames []string
	for i := len(sample.Location) - 1; i >= 0; i-- {
		lines := sample.Location[i].Line
		for at := len(lines) - 1; at >= 0; at-- {
			name := "[unknown]"
			if lines[at].Function != nil && lines[at].Function.Name != "" {
				name = strings.ReplaceAll(lines[at].Function.Name, ";", ":")
			}
			if at < len(lines)-1 {
				name += "_[i]"
			}
			frames = append(frames, name)
		}
	}
	return tareTrimmed(frames)
}

// tareTrimmed leaves out what calls the body.
func tareTrimmed(frames []string) []string {
	body := 0
	for body < len(frames) && tareIsAround(frames[body]) {
		body++
	}
	own := false
	for _, frame := range frames[body:] {
		own = own || strings.HasPrefix(frame, "testing.(*tare") || strings.HasPrefix(frame, "testing.tare")
	}
	switch {
	case body == len(frames) && body > 0 && !strings.HasPrefix(frames[0], "testing."):
		// The runtime, beside the body: its collector or its scheduler.
		return append([]string{"[runtime]"}, frames...)
	case body == len(frames):
		return append([]string{tareProfileOwn}, frames...)
	case own:
		// What happens between two iterations, inside Loop.
		return append([]string{tareProfileOwn}, frames[body:]...)
	}
	return frames[body:]
}

// tareIsAround: a function that calls bodies, or of the runtime.
func tareIsAround(frame string) bool {
	return strings.HasPrefix(frame, "testing.") || strings.HasPrefix(frame, "runtime.")
}

// profile begins to take samples for the pending request, where it asks for that.
func (s *tareServer) profile() {
	if s.pending == nil || s.pending.verb != "diagnose" || s.profiler != nil {
		return
	}
	s.profiler, s.unprofiled = tareStartProfile(s.deps)
}

// measured answers the pending request with what was measured, or with the profile that it asks for.
func (s *tareServer) measured(columns *tareColumns) {
	if s.pending.verb != "diagnose" {
		s.reply(columns.measured())
		return
	}
	p, err := s.profiler, s.unprofiled
	s.profiler = nil
	var found map[string]any
	if p != nil {
		found, err = p.stop()
	}
	if err != nil {
		s.refuse("not-supported", "the profiler of Go: "+err.Error())
		return
	}
	found["reply"], found["metrics"] = "diagnosed", map[string]any{}
	s.reply(found)
}

// unprofile ends a profile of a request that failed.
func (s *tareServer) unprofile() {
	if s.profiler != nil {
		s.profiler.deps.StopCPUProfile()
		s.profiler = nil
	}
}
