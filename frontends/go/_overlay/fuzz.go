// What stands in for the package internal/fuzz while Tare builds a test binary: nothing is fuzzed where benchmarks are measured, and without
// this package and the forty that it needs, the first build takes a quarter less.

package fuzz

import (
	"context"
	"errors"
	"io"
	"reflect"
	"time"
)

type CorpusEntry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

type CoordinateFuzzingOpts struct {
	Log             io.Writer
	Timeout         time.Duration
	Limit           int64
	MinimizeTimeout time.Duration
	MinimizeLimit   int64
	Parallel        int
	Seed            []CorpusEntry
	Types           []reflect.Type
	CorpusDir       string
	CacheDir        string
}

var errNone = errors.New("nothing is fuzzed where benchmarks are measured")

func CoordinateFuzzing(context.Context, CoordinateFuzzingOpts) error { return errNone }
func RunFuzzWorker(context.Context, func(CorpusEntry) error) error   { return errNone }
func ReadCorpus(string, []reflect.Type) ([]CorpusEntry, error)       { return nil, errNone }
func CheckCorpus([]any, []reflect.Type) error                        { return errNone }
func ResetCoverage()                                                 {}
func SnapshotCoverage()                                              {}
