package first

import (
	"strconv"
	"testing"

	"tare.dev/go/tare"
)

var text = "123456789"

func Benchmark_parse(b *testing.B) {
	b.Run("strconv.Atoi", func(b *testing.B) {
		value := 0
		for i := 0; i < b.N; i++ {
			value, _ = strconv.Atoi(text)
		}
		tare.Result(b, value)
	})
}
