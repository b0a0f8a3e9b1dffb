package testing

import (
	"syscall"
	"unsafe"
)

var tareCapabilities = []string{"cpu", "process-cpu", "switches", "waits"}

const (
	tareClockProcess = 2
	tareClockThread  = 3
	tareRusageThread = 1
)

// tareUse is what a thread and the process have used; ns.
type tareUse struct {
	thread          int
	cpu, process    int64
	switches, waits int64
}

// tareUsed reads all of it: the clock of the thread next to the timed part, which is before it or after it, and that of the
// process next to that.
func tareUsed(after bool) tareUse {
	var use tareUse
	if after {
		use.cpu = tareClock(tareClockThread)
		use.process = tareClock(tareClockProcess)
	}
	use.thread = syscall.Gettid()
	var usage syscall.Rusage
	syscall.RawSyscall(syscall.SYS_GETRUSAGE, tareRusageThread, uintptr(unsafe.Pointer(&usage)), 0)
	use.switches, use.waits = int64(usage.Nivcsw), int64(usage.Nvcsw)
	if !after {
		use.process = tareClock(tareClockProcess)
		use.cpu = tareClock(tareClockThread)
	}
	return use
}

func tareClock(clock uintptr) int64 {
	var at syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&at)), 0)
	return at.Nano()
}

func tareUseColumns(reply map[string]any, all []tareUse) {
	columns := map[string]func(tareUse) int64{
		"cpu_ns":         func(use tareUse) int64 { return use.cpu },
		"process_cpu_ns": func(use tareUse) int64 { return use.process },
		"switches":       func(use tareUse) int64 { return use.switches },
		"waits":          func(use tareUse) int64 { return use.waits },
	}
	for name, of := range columns {
		values := make([]int64, len(all))
		for i, use := range all {
			values[i] = tareMax(of(use), 0)
		}
		reply[name] = values
	}
}

// tareRead reads without telling the scheduler. False: the other end is closed.
func tareRead(from int, into []byte) (int, bool) {
	for {
		n, _, err := syscall.RawSyscall(syscall.SYS_READ, uintptr(from), uintptr(unsafe.Pointer(&into[0])), uintptr(len(into)))
		if err == syscall.EINTR || err == syscall.EAGAIN {
			continue
		}
		return int(n), err == 0 && int(n) > 0
	}
}
