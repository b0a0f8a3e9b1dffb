module tare.dev/examples/first

go 1.21

require tare.dev/go/tare v0.1.0

replace tare.dev/go/tare => ../../../frontends/go
