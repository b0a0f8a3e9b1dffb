// The conformance benchmarks of spec/protocol.md, section 8.
package conformance

import (
	"strconv"
	"strings"
	"testing"

	"tare.dev/go/tare"
)

// trace is the text that lives as long as the process.
var trace string

func step(letter string) {
	if len(trace) < 1000 {
		trace += letter
	}
}

func Benchmark_conformance(b *testing.B) {
	count := 0
	b.Run("count", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			count++
		}
		tare.Result(b, count)
	})
	b.Run("trace", func(b *testing.B) {
		step("S")
		for b.Loop() {
			step("b")
			tare.Result(b, trace)
		}
		step("C")
	})
	b.Run("throws-set-up", func(b *testing.B) {
		step("S")
		if trace != "" {
			panic("set-up")
		}
		for b.Loop() {
		}
	})
	b.Run("throws-clean-up", func(b *testing.B) {
		step("S")
		for b.Loop() {
			step("b")
		}
		step("C")
		b.Fatal("clean-up")
	})
	b.Run("cost-1", func(b *testing.B) { add(b, 100) })
	b.Run("cost-8", func(b *testing.B) { add(b, 800) })
	texts(b)
	b.Run("parameter", func(b *testing.B) {
		b.Run("n=7", func(b *testing.B) {
			for i := 0; i < b.N; i++ {
			}
			_, value, _ := strings.Cut(b.Name(), "n=")
			n, _ := strconv.Atoi(value)
			tare.Result(b, n)
		})
	})
}

// texts are the benchmarks whose result is a fixed value.
func texts(b *testing.B) {
	values := []struct {
		name  string
		value any
	}{
		{"text-integer", -42}, {"text-big", uint64(18446744073709551615)}, {"text-float", 0.1}, {"text-whole", 2.0},
		{"text-exponent", 1e21}, {"text-true", true}, {"text-text", "\u00e4 \"\t"},
		{"text-long", strings.Repeat("\u00e4", 300)}, {"text-list", []int{1, 2, 3}}, {"text-texts", []string{"a", "\"\n"}},
		{"text-nothing", nil},
	}
	for _, one := range values {
		b.Run(one.name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				tare.Result(b, one.value)
			}
		})
	}
}

var sum uint64

//go:noinline
func additions(x uint64, n int) uint64 {
	for i := 0; i < n; i++ {
		x = (x + uint64(i)) ^ 1
	}
	return x
}

func add(b *testing.B, n int) {
	for i := 0; i < b.N; i++ {
		sum = additions(sum, n)
	}
}
