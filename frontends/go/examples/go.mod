module tare.dev/go/examples

go 1.24

require tare.dev/go/tare v0.1.0

replace tare.dev/go/tare => ../
