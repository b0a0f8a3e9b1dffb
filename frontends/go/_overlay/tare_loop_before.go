//go:build !go1.24

package testing

// Before Go 1.24 a B has no Loop.

func tareClearLoop(*B) {}

func tareBeginLoop(*B, uint64) {}

func tareEndLoop(*B) {}

func tareTurns(*B) uint64 { return 0 }

func tareContext(*B) {}

var tareEmptyLoop = tareEmpty
