// Where the loop of a benchmark begins. What a call does before it is its set-up, of which `go test` shows a share that vanishes: it makes b.N
// large enough for a second. A visit takes a millisecond, so there it would be most of the time.

package testing

import (
	"runtime"
	"sync"
	"time"
)

// tareFixed is what a call takes of the memory however many turns it makes.
type tareFixed struct {
	bytes, allocations uint64
}

func (f *tareFixed) get() tareFixed {
	if f == nil {
		return tareFixed{}
	}
	return *f
}

// TareLoop stands before the loops over b.N, where the build has put it: what was timed before the first one is forgotten, as b.Loop does.
// What ReportMetric was told stays.
func (b *B) TareLoop() {
	r := b.tare
	if r == nil || r.begun {
		return
	}
	r.begun = true
	wasOn := b.timerOn
	if wasOn {
		b.StopTimer()
	}
	b.duration, b.netBytes, b.netAllocs = 0, 0, 0
	r.reset()
	if wasOn {
		b.StartTimer()
	}
}

// tareParallel is called where RunParallel begins. True: it starts its goroutines although there is no turn to make.
func (b *B) tareParallel() bool {
	if b.tare == nil {
		return false
	}
	b.TareLoop()
	b.tare.parallel = true
	return b.tare.fixing
}

// tareFixedCalls are made to know what a call takes; the least counts.
const tareFixedCalls = 3

// tareStock has the runtime make what goroutines are made of, many times as much as a benchmark has at once. What ends is kept for the next one,
// but by the processor where it ended: another one makes its own, which was an allocation more in every fiftieth call of RunParallel.
func tareStock() {
	const each = 256
	var all sync.WaitGroup
	gate := make(chan bool)
	for i := 0; i < each*runtime.GOMAXPROCS(0); i++ {
		all.Add(1)
		go func() {
			<-gate
			all.Done()
		}()
	}
	// They must wait at once, each with an entry of its own in the list of those who wait.
	time.Sleep(time.Millisecond)
	close(gate)
	all.Wait()
}

// fix counts what RunParallel takes for its goroutines, and bodies for what they make before their turns. A function that cannot be called with
// N = 0 is taken as it is.
func (s *tareServer) fix(b *B, f func(*B)) {
	r := b.tare
	if !r.parallel || r.fixed != nil {
		return
	}
	least := tareFixed{}
	tareStock()
	outcome := s.call(b, func() {
		for i := 0; i < tareFixedCalls; i++ {
			r.fixing = true
			s.once(b, f, 0)
			if i == 0 || b.netAllocs < least.allocations {
				least = tareFixed{bytes: b.netBytes, allocations: b.netAllocs}
			}
		}
	})
	r.fixing = false
	if outcome.failed || outcome.skipped {
		least = tareFixed{}
	}
	r.fixed = &least
	tareForgive(b)
}
