module tare.dev/bench/go

go 1.24
