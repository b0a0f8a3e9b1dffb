#!/usr/bin/env ruby
# frozen_string_literal: true

# The conformance benchmarks (section 8 of spec/protocol.md): tare conformance examples/ruby/conformance.rb
require_relative 'tare'

bench = ->(name, **options, &body) { Tare.bench("conformance/#{name}", **options, &body) }

calls = 0
bench.call('count', set_up: -> { [0] }) { |count| count[0] += 1 }
bench.call('cold-start', strategy: 'cold-start') { calls += 1 }
bench.call('monitoring', strategy: 'monitoring') { calls += 1 }

trace = +''
steps = { set_up: 'S', iteration_set_up: 's', body: 'b', iteration_clean_up: 'c', clean_up: 'C' }
[nil, *steps.keys].each do |thrower|
  leave = lambda do |step|
    trace << steps[step] if trace.size < 1000
    raise 'it throws' if step == thrower
  end
  options = steps.except(:body).to_h { |step, _| [step, ->(*) { leave.call(step) }] }
  bench.call(thrower ? "throws-#{thrower.to_s.tr('_', '-')}" : 'trace', **options) do
    leave.call(:body)
    trace.dup
  end
end

bench.call('operations', set_up: -> { 12 }, operations: ->(n) { n }) { |n| n }
raise_by_one = ->(found) { found[0] += 1 }
bench.call('iteration-operations', set_up: lambda {
  [0]
}, iteration_set_up: raise_by_one, iteration_operations: :first.to_proc, &:first)

maker = lambda do
  folder = ENV.fetch('TARE_RUN_FOLDER', nil) or next Process.pid.to_s

  File.open(File.join(folder, 'maker'), 'a+') do |file|
    file.flock(File::LOCK_EX)
    file.write(Process.pid) if file.size.zero?
    file.rewind
    file.read
  end
end
bench.call('once', set_up: maker) { |pid| pid }
bench.call('parameter', params: { n: [7] }) { |n| n }

[1, 8].each do |cost|
  bench.call("cost-#{cost}") do
    sum = index = 0
    sum += (index += 1) while index < 100 * cost
    sum
  end
end

texts = { integer: -42, big: (2**64) - 1, float: 0.1, whole: 2.0, exponent: 1e21, true => true, text: "\u00e4 \"\t",
          long: "\u00e4" * 300, list: [1, 2, 3], texts: ['a', "\"\n"], nothing: nil }
texts.each { |name, value| bench.call("text-#{name}") { value } }
