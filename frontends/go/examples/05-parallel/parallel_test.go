// RunParallel: the time of a call is that of all goroutines together.
package parallel

import (
	"sync/atomic"
	"testing"
)

func BenchmarkCounter(b *testing.B) {
	var counter atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			counter.Add(1)
		}
	})
}
