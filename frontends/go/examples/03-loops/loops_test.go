// The two loops of testing. With b.Loop the lines before it run once in each process; with b.N they run before each visit.
package loops

import (
	"strings"
	"testing"
)

var count int

func BenchmarkLoop(b *testing.B) {
	text := strings.Repeat("a b ", 1000) // once in each process, not timed
	for b.Loop() {
		strings.Count(text, "a")
	}
}

func BenchmarkN(b *testing.B) {
	text := strings.Repeat("a b ", 1000) // before each visit
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		count = strings.Count(text, "a")
	}
}
