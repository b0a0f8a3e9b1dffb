// Skip says why a benchmark is not measured here. TestMain may prepare what all of the package need.
package skip

import (
	"os"
	"testing"
)

var data []byte

func TestMain(m *testing.M) {
	data = make([]byte, 1000)
	os.Exit(m.Run())
}

func BenchmarkLen(b *testing.B) {
	sum := 0
	for b.Loop() {
		for _, one := range data {
			sum += int(one)
		}
	}
	if sum != 0 {
		b.Fatalf("the sum of zeros is %d", sum)
	}
}

func BenchmarkServer(b *testing.B) {
	if os.Getenv("SERVER") == "" {
		b.Skip("set SERVER to the address of a server")
	}
	for b.Loop() {
	}
}
