// Package tare has what the package testing lacks for benchmarks: a fresh input for each call, results that are compared,
// and values that the compiler cannot see through. It has no dependency, and works with `go test -bench` as well.
//
// Ordinary benchmarks need nothing of it: `tare run` measures them as they are.
package tare

import (
	"runtime"
	"testing"
)

// Result says what the benchmark computed. Tare compares it with the results of the other benchmarks of the group and of
// the other side of a comparison, across languages too: a wrong implementation is found before it is called fast.
//
//	sum := 0
//	for i := 0; i < b.N; i++ {
//		sum = Sum(numbers)
//	}
//	tare.Result(b, sum)
//
// Call it behind the loop, where it costs nothing. `go test` ignores it.
func Result[T any](b *testing.B, value T) {
	with, ok := any(b).(interface {
		TareWants() bool
		TareResult(any)
	})
	if ok && with.TareWants() {
		with.TareResult(value)
	}
}

// inputs is how many inputs Each makes at a time: while they are made, the clock stands still.
const inputs = 256

// Each calls body b.N times, each time with a fresh input, which is made while the clock stands still. It is for bodies
// that use up or change what they get, such as a sort in place.
//
//	func BenchmarkSort(b *testing.B) {
//		tare.Each(b, func() []int { return slices.Clone(numbers) }, slices.Sort)
//	}
func Each[T any](b *testing.B, input func() T, body func(T)) {
	b.StopTimer()
	b.ResetTimer()
	made := make([]T, 0, inputs)
	for left := b.N; left > 0; left -= len(made) {
		made = made[:0]
		for len(made) < min(left, inputs) {
			made = append(made, input())
		}
		b.StartTimer()
		for _, one := range made {
			body(one)
		}
		b.StopTimer()
		clear(made)
	}
}

// Opaque is the value, of which the compiler knows nothing: what is computed from it is not computed ahead.
//
//go:noinline
func Opaque[T any](value T) T { return value }

// Keep keeps the value alive: what it was computed by is not deleted. A loop with b.Loop needs neither.
func Keep[T any](value T) { runtime.KeepAlive(value) }
