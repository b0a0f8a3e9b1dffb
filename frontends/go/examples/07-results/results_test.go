// Results are compared: two contestants that differ are a finding, in other languages too.
package results

import (
	"testing"

	"tare.dev/go/tare"
)

var numbers = []uint64{3, 1, 4, 1, 5, 9, 2, 6}

func BenchmarkSum(b *testing.B) {
	b.Run("forward", func(b *testing.B) {
		var sum uint64
		for i := 0; i < b.N; i++ {
			sum = 0
			for _, n := range numbers {
				sum += n
			}
		}
		tare.Result(b, sum)
	})
	b.Run("backward", func(b *testing.B) {
		var sum uint64
		for i := 0; i < b.N; i++ {
			sum = 0
			for at := len(numbers) - 1; at >= 0; at-- {
				sum += numbers[at]
			}
		}
		tare.Result(b, sum)
	})
}
