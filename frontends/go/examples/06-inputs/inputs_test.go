// What testing lacks: a fresh input for each call, made while the clock stands still.
package inputs

import (
	"slices"
	"testing"

	"tare.dev/go/tare"
)

var numbers = func() []int {
	list := make([]int, 64)
	for i := range list {
		list[i] = i * 7919 % 64
	}
	return list
}()

func BenchmarkSort(b *testing.B) {
	tare.Each(b, func() []int { return slices.Clone(numbers) }, func(list []int) { slices.Sort(list) })
}
