// A benchmark as `go test` knows it: `tare run ./01-hello` measures it as it is.
package hello

import (
	"strconv"
	"testing"
)

var text = "123456789"

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		strconv.Atoi(text)
	}
}
