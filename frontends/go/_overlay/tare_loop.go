//go:build go1.24

package testing

import "context"

// tareClearLoop: no call of Loop has been made.
func tareClearLoop(b *B) {
	b.loop.n, b.loop.i, b.loop.done = 0, 0, false
}

// tareBeginLoop lets Loop return true n times, of which the call that asks for it is the first.
func tareBeginLoop(b *B, n uint64) {
	b.loop.n, b.loop.i = n, 1
}

func tareEndLoop(b *B) {
	b.loop.done = true
}

func tareTurns(b *B) uint64 {
	return b.loop.i &^ loopPoisonMask
}

func tareContext(b *B) {
	b.ctx, b.cancelCtx = context.WithCancel(context.Background())
}

func tareEmptyLoop(b *B) {
	for b.Loop() {
	}
}
