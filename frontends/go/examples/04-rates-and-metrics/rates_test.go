// SetBytes gives a rate, ReportMetric a metric of your own; allocations and collections are always counted.
package rates

import (
	"crypto/sha256"
	"testing"
)

func BenchmarkHash(b *testing.B) {
	data := make([]byte, 10_000)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		sha256.Sum256(data)
	}
}

func BenchmarkCollect(b *testing.B) {
	words := 0
	for i := 0; i < b.N; i++ {
		words += len(make([]byte, 64*(1+i%2)))
	}
	b.ReportMetric(float64(words)/float64(b.N), "bytes-asked/op")
}
