// Sub-benchmarks are the cases of a group; `key=value` in their names are parameters.
package sub

import (
	"fmt"
	"slices"
	"sort"
	"testing"
)

func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i * 7919 % n
	}
	return list
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{16, 64, 256} {
		list := numbers(n)
		own := make([]int, n)
		b.Run(fmt.Sprintf("slices/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				copy(own, list)
				slices.Sort(own)
			}
		})
		b.Run(fmt.Sprintf("sort/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				copy(own, list)
				sort.Slice(own, func(i, j int) bool { return own[i] < own[j] })
			}
		})
	}
}
