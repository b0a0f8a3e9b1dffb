// The list of benchmarks: those that are declared, and those that they run below themselves.

package testing

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// tareKept is the file of the run's folder in which the first process leaves the list for the others: finding
// sub-benchmarks runs the functions above them.
const tareKept = "go-benchmarks.json"

// tareCase is a benchmark that can be opened.
type tareCase struct {
	path []string
	top  InternalBenchmark
	tareFound
}

// tareFound is what is known of it before it is opened.
type tareFound struct {
	Name     string
	File     string
	Line     int
	Bytes    bool
	Parallel bool
	Parks    bool
	SetsUp   bool
	Skipped  string
	// Diagnoses are the diagnosers that its directives ask for, each once.
	Diagnoses []string `json:",omitempty"`
}

// tareListing collects sub-benchmarks.
type tareListing struct {
	server *tareServer
	top    InternalBenchmark
	cases  []*tareCase
	// diagnoses are those of the functions that are run.
	diagnoses []string
}

func (s *tareServer) list() []*tareCase {
	if s.cases != nil {
		return s.cases
	}
	kept := filepath.Join(os.Getenv("TARE_RUN_FOLDER"), tareKept)
	isKept := os.Getenv("TARE_RUN_FOLDER") != ""
	if isKept && s.restore(kept) {
		return s.cases
	}
	s.cases = []*tareCase{}
	for _, top := range s.tops {
		if only := os.Getenv("TARE_GO_FILE"); only != "" && tareFileOf(top.F) != only {
			continue
		}
		listing := &tareListing{server: s, top: top}
		listing.of(nil, []string{tareTopName(top.Name)}, top.F, nil)
		s.cases = append(s.cases, listing.cases...)
	}
	if isKept {
		s.keep(kept)
	}
	return s.cases
}

func (s *tareServer) keep(file string) {
	found := []tareFound{}
	for _, c := range s.cases {
		found = append(found, c.tareFound)
	}
	text, err := json.Marshal(found)
	own := file + "." + strconv.Itoa(os.Getpid())
	if err == nil && os.WriteFile(own, text, 0o600) == nil {
		os.Rename(own, file)
	}
}

func (s *tareServer) restore(file string) bool {
	text, err := os.ReadFile(file)
	var found []tareFound
	if err != nil || json.Unmarshal(text, &found) != nil {
		return false
	}
	tops := map[string]InternalBenchmark{}
	for _, top := range s.tops {
		tops[tareTopName(top.Name)] = top
	}
	cases := []*tareCase{}
	for _, one := range found {
		path := strings.Split(one.Name, "\n")
		cases = append(cases, &tareCase{path: path, top: tops[path[0]], tareFound: one})
	}
	s.cases = cases
	return true
}

// tareTopName is the name of a benchmark function: `Sort` of BenchmarkSort, `sort` of Benchmark_sort.
func tareTopName(name string) string {
	short := strings.TrimPrefix(strings.TrimPrefix(name, "Benchmark"), "_")
	if short == "" {
		return name
	}
	return short
}

// of adds what a function declares: itself, or the sub-benchmarks that it runs. They have the diagnosers of the function too.
func (l *tareListing) of(parent *B, path []string, f func(*B), diagnoses []string) {
	source := tareSourceOf(f)
	diagnoses = tareEachOnce(diagnoses, source.diagnoses)
	c := &tareCase{path: path, top: l.top, tareFound: tareFound{
		Name: strings.Join(path, "\n"), File: source.file, Line: source.line,
		Parks: source.onlyLoops() && !source.readsAfterLoop(), SetsUp: source.setsUp(),
		Bytes: strings.Contains(source.text, "SetBytes("), Parallel: strings.Contains(source.text, "RunParallel("),
		Diagnoses: diagnoses,
	}}
	if source.isLeaf() {
		l.cases = append(l.cases, c)
		return
	}
	before := len(l.cases)
	s := l.server
	s.listing = l
	b := tareNewB(s, nil, path)
	n := uint64(0)
	if strings.Contains(source.text, ".Run(") {
		n = 1
	}
	pending, outer := s.pending, l.diagnoses
	l.diagnoses = diagnoses
	outcome := s.call(b, func() { s.once(b, f, n) })
	s.listing, s.pending, l.diagnoses = nil, pending, outer
	if parent != nil {
		s.listing = l
	}
	if outcome.skipped {
		c.Skipped = outcome.message
	}
	c.Bytes = c.Bytes || b.bytes != 0
	if len(l.cases) == before {
		l.cases = append(l.cases, c)
	}
}

func (l *tareListing) sub(b *B, path []string, f func(*B)) {
	l.of(b, path, f, l.diagnoses)
}

// line is the entry of the list.
func (c *tareCase) line(index int) map[string]any {
	name := []string{}
	parameters := []map[string]any{}
	for _, part := range strings.Split(c.full(), "/")[1:] {
		key, value, ok := strings.Cut(part, "=")
		if ok && key != "" {
			parameters = append(parameters, map[string]any{"name": key, "value": value, "type": tareTypeOf(value)})
		} else {
			name = append(name, part)
		}
	}
	group, own := c.path[0], strings.Join(name, "/")
	if own == "" {
		group, own = "", c.path[0]
	}
	line := map[string]any{
		"reply": "benchmark", "index": index, "key": tareDigest(c.Name), "group": group, "name": own, "parameters": parameters, "returns": false,
		"code": map[string]any{"method": c.top.Name, "namespace": tareServing.importPath, "full": c.full()},
	}
	if c.File != "" {
		line["file"], line["line"] = c.File, c.Line
	}
	if c.Bytes {
		line["rates"] = []map[string]any{{"name": "bytes", "per_invocation": 0}}
	}
	var setUps []string
	if c.Parks {
		// What is before the loop runs when it is opened, and what is behind it when it is closed.
		setUps = []string{"global", "global-clean-up"}
	} else {
		line["restarts"] = true
	}
	if c.SetsUp {
		// It works while its timer stands still, before each iteration, for as many invocations as the host likes.
		setUps, line["invocations_max"] = append(setUps, "iteration"), uint64(1)<<40
	}
	if len(setUps) > 0 {
		line["set_ups"] = setUps
	}
	if c.Parallel {
		line["threads"] = 0
	}
	if len(c.Diagnoses) > 0 {
		line["diagnosers"] = c.Diagnoses
	}
	if c.Skipped != "" {
		line["skipped"] = c.Skipped
	}
	return line
}

func (c *tareCase) full() string {
	return strings.Join(append([]string{c.top.Name}, c.path[1:]...), "/")
}

func (c *tareCase) openedBy(b *B) map[string]any {
	reply := map[string]any{"reply": "opened", "loop_address": b.tare.entry}
	if c.Bytes {
		reply["rates"] = map[string]any{"bytes": tareMax(b.bytes, 0)}
	}
	return reply
}

func tareTypeOf(value string) string {
	if _, err := strconv.ParseInt(value, 10, 64); err == nil {
		return "integer"
	}
	if _, err := strconv.ParseFloat(value, 64); err == nil {
		return "float"
	}
	if value == "true" || value == "false" {
		return "boolean"
	}
	return "text"
}

// tareFileOf is the name of the file that a benchmark stands in.
func tareFileOf(body func(*B)) string {
	file, _ := runtime.FuncForPC(reflect.ValueOf(body).Pointer()).FileLine(reflect.ValueOf(body).Pointer())
	return filepath.Base(file)
}

// tareSource is the text of a function, where its file is at hand.
type tareSource struct {
	file, text string
	line       int
	// diagnoses are the diagnosers that the comments right above it ask for.
	diagnoses []string
}

func tareSourceOf(f func(*B)) tareSource {
	code := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	if code == nil {
		return tareSource{}
	}
	file, line := code.FileLine(code.Entry())
	content, err := os.ReadFile(file)
	if err != nil {
		return tareSource{}
	}
	lines := strings.SplitAfter(string(content), "\n")
	if line < 1 {
		line = 1
	}
	// A function that needs no stack begins, for the compiler, with its first statement.
	for line > 1 && (line > len(lines) || !tareBegins(lines[line-1])) {
		line--
	}
	source := tareSource{file: file, line: line}
	for _, above := range lines[:line-1] {
		source.above(above)
	}
	rest := strings.Join(lines[line-1:], "")
	if at := strings.Index(rest, "func"); at >= 0 {
		source.text = rest[at:]
		if begin := strings.Index(source.text, "{"); begin >= 0 {
			source.text = source.text[:begin+tareBlock(source.text[begin:])]
		}
	}
	return source
}

// tareBegins: a function begins in this line.
func tareBegins(line string) bool {
	return strings.Contains(line, "func") && !strings.HasPrefix(strings.TrimSpace(line), "//")
}

// tareDirective asks for diagnosers: `//tare:diagnose profile code` above a function.
const tareDirective = "//tare:diagnose"

// above reads a line above the function: directives count in the comments that it directly follows.
func (s *tareSource) above(line string) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "//") {
		s.diagnoses = nil
		return
	}
	names, ok := strings.CutPrefix(line, tareDirective)
	if ok && (names == "" || strings.ContainsAny(names[:1], " \t")) {
		split := func(c rune) bool { return c == ',' || c == ' ' || c == '\t' }
		s.diagnoses = tareEachOnce(s.diagnoses, strings.FieldsFunc(names, split))
	}
}

// tareEachOnce is the first list with what only the second has.
func tareEachOnce(first, second []string) []string {
	all := append([]string{}, first...)
	for _, name := range second {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// tareBlock is the length of the block that a text begins with.
func tareBlock(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '`', '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' && c != '`' {
					i++
				}
			}
		case '/':
			if strings.HasPrefix(text[i:], "//") {
				end := strings.IndexByte(text[i:], '\n')
				if end < 0 {
					return len(text)
				}
				i += end
			}
		}
	}
	return len(text)
}

// isLeaf: the function has a loop of its own and no sub-benchmarks, so it need not be run to know that.
func (s tareSource) isLeaf() bool {
	return !strings.Contains(s.text, ".Run(") && (strings.Contains(s.text, ".Loop()") || strings.Contains(s.text, ".N"))
}

// onlyLoops: the function does not depend on N, so a failure before its loop is one of its set-up.
func (s tareSource) onlyLoops() bool {
	return strings.Contains(s.text, ".Loop()") && !strings.Contains(s.text, ".N")
}

// setsUp: a call of the function may take much longer than its timer says.
func (s tareSource) setsUp() bool {
	text := s.text
	turn, _, loops := s.loop()
	if loops {
		// What is before the loop runs once.
		text = turn
	}
	calls := func(name string) bool { return strings.Contains(text, name) }
	if slices.ContainsFunc([]string{".StopTimer(", ".StartTimer(", ".ResetTimer(", "tare.Each("}, calls) {
		return true
	}
	if loops {
		return s.readsAfterLoop()
	}
	return !calls(".N") || s.worksBefore()
}

// worksBefore: functions are called before the loop, and not only those that say how the benchmark is to be shown.
func (s tareSource) worksBefore() bool {
	_, body, _ := strings.Cut(s.text, "{")
	before, _, _ := strings.Cut(body, "for ")
	before, _, _ = strings.Cut(before, ".RunParallel(")
	for _, plain := range []string{".ReportAllocs(", ".SetBytes(", ".Helper(", ".SetParallelism(", "len("} {
		before = strings.ReplaceAll(before, plain, "")
	}
	return strings.Contains(before, "(")
}

// readsAfterLoop: what the host wants to know of an iteration is said behind the loop, so each iteration is a call of the
// whole function.
func (s tareSource) readsAfterLoop() bool {
	_, after, ok := s.loop()
	if !ok {
		return len(tareUnits) > 0 || strings.Contains(s.text, ".ReportMetric(")
	}
	return strings.Contains(after, ".ReportMetric(") || strings.Contains(after, ".Result(")
}

// loop is a turn of the function's Loop, and what is behind it.
func (s tareSource) loop() (turn, after string, ok bool) {
	_, rest, ok := strings.Cut(s.text, ".Loop()")
	begin := strings.IndexByte(rest, '{')
	if begin < 0 {
		return "", rest, ok
	}
	end := begin + tareBlock(rest[begin:])
	return rest[begin:end], rest[end:], ok
}
