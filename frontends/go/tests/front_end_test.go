// The front end as its users meet it: what `tare` builds, lists and runs. `run` starts these tests beside those of the modules.
package tests

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	root = absolute("../../..")
	// scratch is the cache of `tare` for all tests, so that what one of them has compiled is there for the next.
	scratch string
	// caches are those of Go, which `tare` would look for beside its own.
	caches []string
)

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "tare-go-"); err != nil {
		panic(err)
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		place, err := exec.Command("go", "env", name).Output()
		if err != nil {
			panic(err)
		}
		caches = append(caches, name+"="+strings.TrimSpace(string(place)))
	}
	status := m.Run()
	os.RemoveAll(scratch)
	os.Exit(status)
}

func absolute(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		panic(err)
	}
	return path
}

// command is one in a folder, with the caches of Go and, after them, these variables.
func command(folder string, variables []string, words ...string) *exec.Cmd {
	command := exec.Command(words[0], words[1:]...)
	command.Dir = folder
	command.Env = append(append(os.Environ(), caches...), "XDG_CACHE_HOME="+scratch, "PWD="+folder)
	command.Env = append(command.Env, variables...)
	return command
}

// output is what a command prints that must succeed.
func output(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	said, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, said)
	}
	return string(said)
}

// says compares what a command prints, with one blank for many.
func says(t *testing.T, command *exec.Cmd, wanted ...string) {
	t.Helper()
	said, _ := command.CombinedOutput()
	words := strings.Join(strings.Fields(string(said)), " ")
	for _, text := range wanted {
		if !strings.Contains(words, text) {
			t.Errorf("%s: %q is not in:\n%s", command, text, said)
		}
	}
}

func tare() string {
	if program := os.Getenv("TARE_PROGRAM"); program != "" {
		return program
	}
	return filepath.Join(root, "target/debug/tare")
}

// module is a folder with these files; names and texts take turns.
func module(t *testing.T, files ...string) string {
	t.Helper()
	folder := t.TempDir()
	for at := 0; at < len(files); at += 2 {
		path := filepath.Join(folder, files[at])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[at+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestFilesAreFormatted(t *testing.T) {
	if wrong := output(t, command(root, nil, "gofmt", "-l", "frontends/go")); wrong != "" {
		t.Errorf("gofmt -w %s", wrong)
	}
}

func TestConformance(t *testing.T) {
	folder := module(t)
	output(t, command(folder, nil, tare(), "run", absolute("conformance"), "--dry", "--filter", "count"))
	var program string
	filepath.WalkDir(scratch, func(path string, _ os.DirEntry, _ error) error {
		if filepath.Base(path) == "conformance.test" {
			program = path
		}
		return nil
	})
	output(t, command(folder, nil, tare(), "conformance", "--quick", program))
}

const loop = `
import "testing"

func BenchmarkLeft(b *testing.B) {
	for b.Loop() {
		break
	}
}
`

const nan = `
import (
	"math"
	"testing"
)

func BenchmarkRate(b *testing.B) {
	for i := 0; i < b.N; i++ {
		math.Hypot(3, float64(i))
	}
	b.ReportMetric(math.NaN(), "hits/op")
}
`

const computed = `
import (
	"fmt"
	"math"
	"testing"
)

func BenchmarkRate(b *testing.B) {
	for i := 0; i < b.N; i++ {
		math.Hypot(3, float64(i))
	}
	b.ReportMetric(5, fmt.Sprintf("p%d-ns", 99))
}
`

const races = `
import "testing"

func BenchmarkRaces(b *testing.B) {
	for i := 0; i < b.N; i++ {
		count, done := 0, make(chan bool)
		go func() { count++; close(done) }()
		count++
		<-done
		time.Sleep(time.Microsecond)
	}
}

func BenchmarkFine(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
}
`

const sum = `
import (
	"testing"

	"example.org/a"
)

func BenchmarkSum(b *testing.B) {
	for i := 0; i < b.N; i++ {
		a.Three()
	}
}

func FuzzSum(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(*testing.T, int) {})
}
`

// turns has its sub-benchmarks in another order in every other process, as a map may.
const turns = `
import (
	"os"
	"testing"
)

var names = []string{"good", "bad"}

func init() {
	if os.Remove("turn") == nil {
		names[0], names[1] = names[1], names[0]
	} else {
		os.WriteFile("turn", nil, 0o600)
	}
}

func BenchmarkMap(b *testing.B) {
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				if name == "bad" {
					b.Fatal(name)
				}
			}
		})
	}
}
`

func TestWhatIsSaid(t *testing.T) {
	for _, test := range []struct {
		name   string
		files  []string
		words  []string
		wanted string
	}{
		{
			"a module of a workspace imports another one",
			[]string{
				"go.work", "go 1.21\n\nuse (\n\t./a\n\t./b\n)\n",
				"a/go.mod", "module example.org/a\n\ngo 1.21\n", "a/a.go", "package a\n\nfunc Three() int { return 3 }\n",
				"b/go.mod", "module example.org/b\n\ngo 1.21\n", "b/b_test.go", "package b\n" + sum,
			},
			[]string{"list", "b"},
			"Sum",
		},
		{
			"a loop that is left before its end",
			[]string{"go.mod", "module example.org/left\n\ngo 1.24\n", "left_test.go", "package left\n" + loop},
			[]string{"run", ".", "--dry"},
			"returned before `b.Loop` was false",
		},
		{
			"a file of a package is that file",
			[]string{
				"go.mod", "module example.org/one\n\ngo 1.21\n",
				"a_test.go", "package one\n\nimport \"testing\"\n\nfunc BenchmarkOwn(b *testing.B) { helper() }\n",
				"b_test.go", "package one\n\nimport \"testing\"\n\nfunc helper() {}\n\nfunc BenchmarkOther(b *testing.B) {}\n",
			},
			[]string{"run", "a_test.go", "--dry"},
			"1 ran; nothing was measured",
		},
		{
			"sub-benchmarks in the order of a map",
			[]string{"go.mod", "module example.org/turns\n\ngo 1.22\n", "turns_test.go", "package turns\n" + turns},
			[]string{"run", ".", "--dry"},
			"Map/good ran Map/bad failed",
		},
		{
			"a metric that is no number",
			[]string{"go.mod", "module example.org/nan\n\ngo 1.21\n", "nan_test.go", "package nan\n" + nan},
			[]string{"run", ".", "--quick", "--launches", "1", "--rounds", "2"},
			"left-out Rate: a metric was NaN or infinite",
		},
		{
			"a metric whose unit is made while it runs",
			[]string{"go.mod", "module example.org/unit\n\ngo 1.21\n", "unit_test.go", "package unit\n" + computed},
			[]string{"run", ".", "--quick", "--launches", "1", "--rounds", "2"},
			"left-out Rate: the metric `p99-ns` has no column",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			says(t, command(module(t, test.files...), nil, append([]string{tare()}, test.words...)...), test.wanted)
		})
	}
}

const timers = `
import "testing"

func BenchmarkStops(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		b.StartTimer()
	}
}

func BenchmarkResets(b *testing.B) {
	b.ResetTimer()
	for b.Loop() {
	}
}
`

func TestATimerThatStopsInALoopIsASetUpOfIterations(t *testing.T) {
	folder := module(t, "go.mod", "module example.org/timers\n\ngo 1.24\n", "timers_test.go", "package timers\n"+timers)
	output(t, command(folder, nil, tare(), "run", ".", "--quick", "--launches", "1", "--rounds", "2", "--invocations", "2"))
	runs, _ := filepath.Glob(filepath.Join(folder, ".tare/runs/*/run.json"))
	text, err := os.ReadFile(runs[0])
	if err != nil {
		t.Fatal(err)
	}
	var run struct {
		Plan struct {
			Cases []struct {
				Benchmark struct {
					Name   string
					SetUps []string `json:"set_ups"`
				}
			}
		}
	}
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
	wanted := map[string]string{"Stops": "global global-clean-up iteration", "Resets": "global global-clean-up"}
	for _, one := range run.Plan.Cases {
		benchmark := one.Benchmark
		if got := strings.Join(benchmark.SetUps, " "); got != wanted[benchmark.Name] {
			t.Errorf("%s: %s", benchmark.Name, got)
		}
		delete(wanted, benchmark.Name)
	}
	if len(wanted) > 0 {
		t.Errorf("not run: %v", wanted)
	}
}

func TestADataRaceIsAFailureOfItsOwnBenchmark(t *testing.T) {
	if os.Getenv("TARE_TEST_LONG") == "" {
		t.Skip("the detector needs all of Go's library anew: TARE_TEST_LONG=1")
	}
	folder := module(t, "go.mod", "module example.org/races\n\ngo 1.21\n", "races_test.go", "package races\n"+races)
	says(t, command(folder, nil, tare(), "run", ".", "--dry", "--job=-race"), "Fine ran", "data race")
}

// TestModule uses the module as a proxy serves it.
func TestModule(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed, which builds the package")
	}
	packages := t.TempDir()
	output(t, command(root, []string{"TARE_PACKAGES=" + packages}, "packaging/build", "go"))
	version, err := os.ReadFile(filepath.Join(packages, "go/tare.dev/go/tare/@v/list"))
	if err != nil {
		t.Fatal(err)
	}
	user := module(t, "go.mod", "module example.org/user\n\ngo 1.21\n", "user_test.go", `package user

import (
	"testing"

	"tare.dev/go/tare"
)

func BenchmarkSum(b *testing.B) {
	for i := 0; i < b.N; i++ {
		tare.Result(b, 42)
	}
}
`)
	proxy := []string{
		"GOPROXY=file://" + packages + "/go", "GONOSUMDB=*", "GOFLAGS=-mod=mod -modcacherw", "GOMODCACHE=" + t.TempDir(),
	}
	output(t, command(user, proxy, "go", "get", "tare.dev/go/tare@"+strings.TrimSpace(string(version))))
	says(t, command(user, proxy, tare(), "run", ".", "--dry"), "Sum ran 42")
}

// Its goroutine may go on with another thread whenever its own has waited.
const wandering = `package wandering

import (
	"testing"
	"time"
)

func BenchmarkWanders(b *testing.B) {
	for i := 0; i < b.N; i++ {
		done := make(chan int)
		go func() {
			sum := 0
			for n := 0; n < 100_000; n++ {
				sum += n * n
			}
			done <- sum
		}()
		<-done
		time.Sleep(time.Microsecond)
	}
}
`

func TestTheTimeOfAThreadIsNotTakenForThatOfAGoroutineThatLeftIt(t *testing.T) {
	folder := module(t, "wandering_test.go", wandering)
	output(t, command(folder, nil, tare(), "run", ".", "--quick", "--launches", "2", "-o", "run.json"))
	runs, _ := filepath.Glob(filepath.Join(folder, ".tare/runs/*/run.json"))
	text, err := os.ReadFile(runs[0])
	if err != nil {
		t.Fatal(err)
	}
	var run struct {
		Launches []struct {
			Series []struct {
				Columns struct {
					Elapsed []float64 `json:"elapsed_ns"`
					CPU     []float64 `json:"cpu_ns"`
					Process []float64 `json:"process_cpu_ns"`
					Waits   []float64 `json:"waits"`
				}
			}
		}
	}
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
	waited := 0
	for _, launch := range run.Launches {
		for _, series := range launch.Series {
			of := series.Columns
			for at, waits := range of.Waits {
				if waits == 0 {
					continue
				}
				waited++
				if most := min(of.Process[at], of.Elapsed[at]); of.CPU[at] != most {
					t.Errorf("waited %v times: %v ns of the processor, %v of the process in %v ns", waits, of.CPU[at], of.Process[at], of.Elapsed[at])
				}
			}
		}
	}
	if waited == 0 {
		t.Error("no thread has waited")
	}
}
