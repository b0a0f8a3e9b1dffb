// Package seven has the seven tasks in Go; README.md has what they are.
package seven

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tare.dev/go/tare"
)

// numbers are the same in all languages.
type numbers uint32

func (n *numbers) next() int {
	*n = (*n*1103515245 + 12345) & 0x7fffffff
	return int(*n)
}

func made[T any](count int, one func(i int) T) []T {
	all := make([]T, count)
	for i := range all {
		all[i] = one(i)
	}
	return all
}

func Benchmark_parse64(b *testing.B) {
	from := numbers(1)
	texts := made(64, func(int) string { return strconv.Itoa(100000000 + from.next()%900000000) })
	b.Run("go", func(b *testing.B) {
		sum := 0
		for i := 0; i < b.N; i++ {
			sum = 0
			for _, text := range texts {
				value, _ := strconv.Atoi(text)
				sum += value
			}
		}
		tare.Result(b, sum)
	})
}

func Benchmark_sha256(b *testing.B) {
	data := made(10000, func(i int) byte { return byte(i % 251) })
	b.Run("go", func(b *testing.B) {
		word := uint32(0)
		for i := 0; i < b.N; i++ {
			digest := sha256.Sum256(data)
			word = binary.BigEndian.Uint32(digest[:])
		}
		tare.Result(b, word)
	})
}

func Benchmark_sort64(b *testing.B) {
	from := numbers(2)
	lists := made(64, func(int) []int { return made(64, func(int) int { return from.next() >> 4 }) })
	sorted := make([]int, 64)
	b.Run("go", func(b *testing.B) {
		sum := 0
		for i := 0; i < b.N; i++ {
			sum = 0
			for _, list := range lists {
				copy(sorted, list)
				slices.Sort(sorted)
				sum += sorted[32]
			}
		}
		tare.Result(b, sum)
	})
}

func Benchmark_json(b *testing.B) {
	items := made(50, func(i int) string {
		return fmt.Sprintf(`{"id":%[1]d,"name":"item %[1]d","price":%[1]d.25,"tags":["red","green"],"active":%[2]t}`, i, i%2 == 0)
	})
	text := []byte("[" + strings.Join(items, ",") + "]")
	b.Run("go", func(b *testing.B) {
		sum := 0.0
		for i := 0; i < b.N; i++ {
			var all []map[string]any
			if err := json.Unmarshal(text, &all); err != nil {
				b.Fatal(err)
			}
			sum = 0
			for _, item := range all {
				sum += item["id"].(float64) + item["price"].(float64) + float64(len(item["tags"].([]any)))
				if item["active"].(bool) {
					sum++
				}
			}
		}
		tare.Result(b, sum)
	})
}

type body struct{ x, y, z, vx, vy, vz, mass float64 }

const year = 365.24

func planet(x, y, z, vx, vy, vz, mass float64) body {
	// The mass of the sun is rounded first, as in languages whose constants are doubles.
	sun := float64(math.Pi)
	sun = 4 * sun * sun
	return body{x, y, z, vx * year, vy * year, vz * year, mass * sun}
}

func planets() [5]body {
	return [5]body{
		planet(0, 0, 0, 0, 0, 0, 1),
		planet(4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01, 1.66007664274403694e-03,
			7.69901118419740425e-03, -6.90460016972063023e-05, 9.54791938424326609e-04),
		planet(8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01, -2.76742510726411542e-03,
			4.99852801234917238e-03, 2.30417297573763929e-05, 2.85885980666130812e-04),
		planet(1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01, 2.96460137564761618e-03,
			2.37847173959480950e-03, -2.96589568540237556e-05, 4.36624404335156298e-05),
		planet(1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01, 2.68067772490389322e-03,
			1.62824170038242295e-03, -9.51592254519715870e-05, 5.15138902046611451e-05),
	}
}

func advance(bodies *[5]body, dt float64) {
	for i := range bodies {
		a := &bodies[i]
		for j := i + 1; j < len(bodies); j++ {
			b := &bodies[j]
			dx, dy, dz := a.x-b.x, a.y-b.y, a.z-b.z
			square := dx*dx + dy*dy + dz*dz
			scale := dt / (square * math.Sqrt(square))
			a.vx -= dx * b.mass * scale
			a.vy -= dy * b.mass * scale
			a.vz -= dz * b.mass * scale
			b.vx += dx * a.mass * scale
			b.vy += dy * a.mass * scale
			b.vz += dz * a.mass * scale
		}
	}
	for i := range bodies {
		a := &bodies[i]
		a.x += dt * a.vx
		a.y += dt * a.vy
		a.z += dt * a.vz
	}
}

func energy(bodies *[5]body) float64 {
	sum := 0.0
	for i := range bodies {
		a := &bodies[i]
		sum += 0.5 * a.mass * (a.vx*a.vx + a.vy*a.vy + a.vz*a.vz)
		for j := i + 1; j < len(bodies); j++ {
			b := &bodies[j]
			dx, dy, dz := a.x-b.x, a.y-b.y, a.z-b.z
			sum -= a.mass * b.mass / math.Sqrt(dx*dx+dy*dy+dz*dz)
		}
	}
	return sum
}

func Benchmark_nbody(b *testing.B) {
	start := planets()
	b.Run("go", func(b *testing.B) {
		sum := 0.0
		for i := 0; i < b.N; i++ {
			bodies := start
			for step := 0; step < 100; step++ {
				advance(&bodies, 0.01)
			}
			sum = energy(&bodies)
		}
		tare.Result(b, sum)
	})
}

func Benchmark_words(b *testing.B) {
	from := numbers(3)
	text := strings.Join(made(1000, func(int) string { return fmt.Sprint("word", (from.next()>>8)%50) }), " ")
	b.Run("go", func(b *testing.B) {
		sum := 0
		for i := 0; i < b.N; i++ {
			counts := map[string]int{}
			for _, word := range strings.Split(text, " ") {
				counts[word]++
			}
			sum = 0
			for _, count := range counts {
				sum += count * count
			}
		}
		tare.Result(b, sum)
	})
}

func Benchmark_fill(b *testing.B) {
	from := numbers(4)
	keys := made(1000, func(int) int { return (from.next() >> 8) % 4096 })
	b.Run("go", func(b *testing.B) {
		result := 0
		for i := 0; i < b.N; i++ {
			table := map[int]int{}
			for at, key := range keys {
				table[key] += at
			}
			result = len(table)*1000000 + table[keys[0]]
		}
		tare.Result(b, result)
	})
}
