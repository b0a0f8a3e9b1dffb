//go:build !linux

package testing

import "syscall"

var tareCapabilities []string

type tareUse struct {
	thread                        int
	cpu, process, switches, waits int64
}

func tareUsed(bool) tareUse { return tareUse{} }

func tareUseColumns(map[string]any, []tareUse) {}

// tareRead reads some bytes. False: the other end is closed.
func tareRead(from int, into []byte) (int, bool) {
	for {
		n, err := syscall.Read(from, into)
		if err == syscall.EINTR {
			continue
		}
		return n, err == nil && n > 0
	}
}
