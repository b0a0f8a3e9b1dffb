// Ten bodies, measured by `go test -bench` and by Tare in one run.
package bodies

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

var (
	words  = strings.Repeat("the quick brown fox jumps over the lazy dog ", 25)
	object = []byte(`{"name":"a","values":[1,2,3],"inner":{"x":1.5,"y":"text"}}`)
	data   = make([]byte, 10_000)
	sink   uint64
	text   string
)

func numbers() []int {
	list := make([]int, 64)
	for i := range list {
		list[i] = i * 7919 % 64
	}
	return list
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		strconv.Atoi("123456789")
	}
}

func BenchmarkFormat(b *testing.B) {
	for b.Loop() {
		text = strconv.Itoa(123456789)
	}
}

// A chain of a thousand multiplications: three cycles each.
func BenchmarkChain(b *testing.B) {
	x := uint64(3)
	for i := 0; i < b.N; i++ {
		for j := 0; j < 1000; j++ {
			x *= 0x9e3779b97f4a7c15
		}
	}
	sink = x
}

func BenchmarkHash(b *testing.B) {
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		sha256.Sum256(data)
	}
}

func BenchmarkSortSlices(b *testing.B) {
	list, own := numbers(), make([]int, 64)
	for b.Loop() {
		copy(own, list)
		slices.Sort(own)
	}
}

func BenchmarkSortFunc(b *testing.B) {
	list, own := numbers(), make([]int, 64)
	for b.Loop() {
		copy(own, list)
		sort.Slice(own, func(i, j int) bool { return own[i] < own[j] })
	}
}

func BenchmarkJSON(b *testing.B) {
	for b.Loop() {
		var value any
		json.Unmarshal(object, &value)
	}
}

func BenchmarkWords(b *testing.B) {
	for b.Loop() {
		counts := map[string]int{}
		for _, word := range strings.Fields(words) {
			counts[word]++
		}
	}
}

func BenchmarkMap(b *testing.B) {
	for i := 0; i < b.N; i++ {
		table := map[int]int{}
		for j := 0; j < 100; j++ {
			table[j*7919] = j
		}
	}
}

func BenchmarkAllocate(b *testing.B) {
	for i := 0; i < b.N; i++ {
		text = string(data[:64+i&1])
	}
}
