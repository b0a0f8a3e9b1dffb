package shop

import org.openjdk.jmh.annotations.*
import org.openjdk.jmh.infra.Blackhole

@State(Scope.Benchmark)
open class Words {
    @Param("10", "100")
    var n = 0
    private lateinit var text: String

    @Setup
    fun fill() {
        text = "word ".repeat(n)
    }

    @Benchmark
    fun split(): Int = text.split(" ").size

    @Benchmark
    fun each(hole: Blackhole) {
        for (c in text) hole.consume(c)
    }
}
