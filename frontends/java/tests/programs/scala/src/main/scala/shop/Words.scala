package shop

import org.openjdk.jmh.annotations._

@State(Scope.Benchmark)
class Words {
  @Param(Array("10", "100"))
  var n: Int = _
  private var text: String = _

  @Setup
  def fill(): Unit = { text = "word " * n }

  @Benchmark
  def split(): Int = text.split(' ').length

  @Benchmark
  def mapped(): Vector[Int] = Vector.tabulate(n)(_ + 1)
}
