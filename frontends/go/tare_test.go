package tare

import "testing"

func TestEachInputIsUsedOnce(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 257, 1000} {
		made, used := 0, []int{}
		b := &testing.B{N: n}
		Each(b, func() int { made++; return made }, func(one int) { used = append(used, one) })
		if made != n || len(used) != n {
			t.Errorf("N = %d: %d made, %d used", n, made, len(used))
		}
		for at, one := range used {
			if one != at+1 {
				t.Fatalf("N = %d: input %d is used at %d", n, one, at)
			}
		}
	}
}

func TestResultsAreForTare(t *testing.T) {
	Result(&testing.B{}, 7)
	if Opaque(7) != 7 {
		t.Error("Opaque changes its value")
	}
	Keep(7)
}
