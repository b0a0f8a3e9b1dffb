module tare.dev/go/tare

go 1.21
