# frozen_string_literal: true

require 'cgi'
require 'json'
require 'set'

# Benchmarks that `tare run FILE` measures: `Tare.bench` declares them, and where the file ends, they are served.
module Tare
  Skipped = Class.new(StandardError)
  @benchmarks = []

  class << self
    # The block gets what `set_up` returned, or else the values of the parameters. README.md has the options.
    def bench(name, **options, &body)
      raise ArgumentError, "#{name} is declared twice" if @benchmarks.any? { |other| other.title == name }

      @benchmarks << Benchmark.new(name, body, options)
    end

    # In a set-up: the benchmark cannot be measured here.
    def skip(reason) = raise(Skipped, reason)

    def main
      link = ENV.delete('TARE_LINK')
      return Child.new(@benchmarks, link).serve if link

      exec('tare', 'run', '--', RbConfig.ruby, $PROGRAM_NAME, *ARGV)
    rescue Errno::ENOENT
      @benchmarks.flat_map(&:cases).each { |one| puts "#{one.title} returns #{one.open.once.inspect[0, 40]}" }
      puts 'hint: `tare run FILE` measures them; `cargo install --path crates/cli` in a clone of Tare installs it'
    end
  end

  # A declaration; with parameters it is several cases, each a copy with its values.
  class Benchmark
    UNROLL = 8
    STEPS = { set_up: 'global', clean_up: 'global-clean-up', iteration_set_up: 'iteration',
              iteration_clean_up: 'iteration-clean-up' }.freeze
    MEMBERS = %i[baseline unit categories description threads waits strategy results invocations_max].freeze
    OTHERS = %i[params operations iteration_operations bytes rates skip].freeze

    attr_accessor :title, :body, :options, :params, :values

    def initialize(title, body, options)
      @title = title
      @body = body
      @options = options
      @params = options.fetch(:params, {}).transform_values { |values| values.uniq { |value| Text.of(value) } }
      unknown = options.keys - STEPS.keys - MEMBERS - OTHERS
      raise ArgumentError, "#{title}: unknown option #{unknown.first}" if unknown.any?
      raise ArgumentError, "#{title} has no block" unless body
      raise ArgumentError, "#{title}: the parameter #{params.key([])} has no values" if params.value?([])
    end

    # `given` has texts that replace the declared values.
    def cases(given = {})
      choices = params.map { |name, values| given[name]&.map { |text| read(name, text) }&.uniq || values }
      [[]].product(*choices).map { |_, *values| dup.tap { |one| one.values = params.keys.zip(values).to_h } }
    end

    # The value of a parameter; KeyError or ArgumentError if it cannot be this one.
    def read(name, text)
      case params[name].first
      when Integer then Integer(text, 10)
      when Float then Float(text)
      when true, false then { 'true' => true, 'false' => false }.fetch(text)
      when String then text
      else params[name].to_h { |value| [Text.of(value, inside: true), value] }.fetch(text)
      end
    end

    # The members of its line in `list`.
    def line
      *group, name = title.split('/', 2)
      file, line = body.source_location
      given = values.map { |key, value| { name: key, value: Text.of(value) || 'null' } }
      rates = { bytes: options[:bytes], **(options[:rates] || {}) }.compact
      { group: group.join, name:, parameters: given, file:, line:, skipped: options[:skip],
        set_ups: STEPS.values_at(*(STEPS.keys & options.keys)), **options.slice(*MEMBERS),
        rates: rates.map { |rate, amount| { name: rate, per_invocation: amount } },
        operations: (options[:operations] unless counts?) }.compact
    end

    def counts? = options[:operations].respond_to?(:call)
    def step(name) = options[name]&.call(*@arguments)
    def once = body.call(*@arguments)

    # Runs the set-up. Each process makes the loop of its benchmark: an interpreter caches there what it saw. `yield`
    # costs half of what `call` does. `nothing` is what the loop `overhead` yields to.
    def open
      @arguments = values.values
      @arguments = [step(:set_up)] if options[:set_up]
      names = @arguments.each_index.map { |index| "a#{index}" }.join(', ')
      instance_eval(<<~RUBY, __FILE__, __LINE__ + 1) # rubocop:disable Style/DocumentDynamicEvalDefinition
        def nothing = proc { |#{names}| }
        def run(count)
          #{"#{names}, = @arguments" unless names.empty?}
          rest = count % #{UNROLL}
          while count > rest
            #{"yield(#{names}); " * UNROLL}
            count -= #{UNROLL}
          end
          yield(#{names}) while (rest -= 1) >= 0
        end
      RUBY
      self
    end
  end

  # The text of a result and its digest (R21 of the protocol).
  module Text
    module_function

    def of(value, inside: false)
      case value
      when nil then inside ? 'null' : nil
      when 0 then '0'
      when Float then float(value)
      when Integer, true, false then value.to_s
      when Array, Hash, Set
        texts = value.map { |element| of(element, inside: true) }
        "[#{texts.join(',')}]" unless texts.include?(nil)
      else
        text = encoded(value.to_s) unless !value.is_a?(String) && value.to_s.match?(/#<.*0x\h+/) # an address
        inside && text ? JSON.generate(utf8(text)) : text
      end
    end

    def encoded(text) = text.encoding == Encoding::BINARY ? text : text.encode(Encoding::UTF_8)
    def utf8(text) = text.dup.force_encoding(Encoding::UTF_8).scrub

    # FNV-1a, 64 bits.
    def digest(text)
      format('%016x', text.each_byte.inject(0xcbf29ce484222325) { |h, byte| (h ^ byte) * 0x100000001b3 % (1 << 64) })
    end

    # As JavaScript writes it; `to_s` has the shortest digits too.
    def float(value)
      return value.to_s unless value.finite?

      whole, fraction, exponent = value.abs.to_s.split(/[.e]/)
      digits = (whole + fraction).sub(/\A0+/, '')
      point = digits.size - fraction.size + exponent.to_i # the value is 0.DIGITS times 10 to the power of this
      "#{'-' if value.negative?}#{place(digits.sub(/0+\z/, ''), point)}"
    end

    def place(digits, point)
      return "0.#{'0' * -point}#{digits}" if point.between?(-5, 0)
      return digits.ljust(point, '0') if point.between?(digits.size, 21)
      return digits.insert(point, '.') if point.between?(1, 21)

      "#{digits[0]}#{".#{digits[1..]}" if digits.size > 1}e#{format('%+d', point - 1)}"
    end
  end

  # Answers the requests of the host (spec/protocol.md).
  class Child
    READY = %w[hello list set open bye].freeze
    OPENED = %w[check measure collect close bye].freeze
    METRICS = %i[allocations collections].freeze

    def initialize(benchmarks, link)
      @benchmarks = benchmarks
      @given = {}
      @requests, @replies = link.match(/\Afd:(\d+),(\d+)\z/).captures.zip(%w[r w]).map do |number, mode|
        IO.for_fd(number.to_i, mode).tap { |pipe| pipe.close_on_exec = true }
      end
    rescue NoMethodError, SystemCallError
      give_up("TARE_LINK=#{link} has an unknown form, or is not open")
    end

    def serve
      @replies.sync = $stdout.sync = $stderr.sync = true
      @requests.each_line(chomp: true) do |line|
        verb, *arguments = line.split
        give_up("cannot answer `#{line}` here") unless (@opened ? OPENED : READY).include?(verb)
        reply(*catch(self) { send(verb, *arguments) })
      end
      exit!(0)
    end

    private

    def give_up(reason)
      warn "error: #{reason}"
      exit!(2)
    end

    def reply(name, members = {}) = @replies.write("#{JSON.generate({ reply: name, **members })}\n")
    def refuse(kind, text, **more) = throw(self, [:error, { kind:, message: Text.utf8(text.to_s), **more }])
    def clock(name = Process::CLOCK_MONOTONIC) = Process.clock_gettime(name, :nanosecond)
    def cases = @benchmarks.flat_map { |benchmark| benchmark.cases(@given) }

    def hello(version, *_words)
      refuse('version', 'this child speaks version 1', versions: [1]) unless version == '1'

      steps = Array.new(1000) { -clock + clock }.uniq.sort.each_cons(2).map { |shorter, longer| longer - shorter }
      compiles = %i[YJIT MJIT RJIT].any? { |jit| RubyVM.const_defined?(jit) && RubyVM.const_get(jit).enabled? }
      [:hello, { protocol: 1, language: 'ruby', front_end: 'tare-ruby 0.1.0', unroll: Benchmark::UNROLL,
                 runtime: "#{RUBY_ENGINE} #{RUBY_VERSION}#{' with JIT' if compiles}",
                 clock: 'CLOCK_MONOTONIC', clock_resolution_ns: steps.min || 1,
                 compiles_late: compiles, collects: true, calls_body: true, capabilities: %w[cpu parameters collect],
                 metrics: METRICS.map { |name| { name:, better: 'lower' } } }]
    end

    def list
      cases.each_with_index { |one, index| reply(:benchmark, index:, **one.line) }
      [:end, { count: cases.size }]
    end

    def set(*words)
      name, *texts = words.map { |word| word == '%' ? '' : CGI.unescape(word.gsub('+', '%2B')) }
      having = @benchmarks.select { |benchmark| benchmark.params.key?(name.to_sym) }
      having.product(texts) { |benchmark, text| benchmark.read(name.to_sym, text) }
      @given[name.to_sym] = texts unless having.empty?
      [:set, { benchmarks: having.size }]
    rescue KeyError, ArgumentError
      refuse('bad-value', "the parameter #{name} cannot be #{texts.join(' or ')}")
    end

    def open(index, seed)
      one = cases[index.to_i]
      sizes = Random.new(seed.to_i) # of blocks with holes between them, so that data lies elsewhere in each process
      @kept = Array.new(seed == '0' ? 0 : 16) { String.new(capacity: sizes.rand(2_000_000)) }.each_slice(2).map(&:first)
      members = user('set-up') { one.open.counts? ? { operations: one.step(:operations) } : {} }
      @opened = one
      [:opened, members]
    end

    # Runs code of the user. Whatever it raises is answered, also SystemExit.
    def user(step)
      yield
    rescue Exception => e # rubocop:disable Lint/RescueException
      refuse('skipped', e.message) if step == 'set-up' && e.is_a?(Skipped)

      place = e.backtrace_locations&.find { |frame| ![nil, __FILE__].include?(frame.absolute_path) }
      message = Text.utf8(e.message).split("\n\n").first # without the code that `error_highlight` adds
      refuse('exception', message, step:, type: e.class.name, file: place&.path, line: place&.lineno)
    end

    def step(name, of = name.to_s.tr('_', '-')) = user(of) { @opened.step(name) }

    def check
      step(:iteration_set_up)
      text = user('body') { Text.of(@opened.once) }
      step(:iteration_clean_up)
      [:checked, { digest: text && Text.digest(text), text: text && Text.utf8(text)[0, 200] }]
    end

    def measure(which, *numbers)
      iterations, invocations, lead = numbers.map(&:to_i)
      body = @opened.body if which == 'workload'
      iteration(body, lead) if lead.positive?
      rows = Array.new(iterations) { iteration(body, invocations) }
      columns = rows.first.to_h { |name, _| [name, rows.map { |row| row[name] }] }
      [:measured, { **columns.except(*METRICS), metrics: columns.slice(*METRICS) }]
    end

    def iteration(body, invocations)
      step(:iteration_set_up) if body
      row = user('body') { timed(invocations, &body || @opened.nothing) }
      row[:operations] = step(:iteration_operations, 'body') if body && @opened.options[:iteration_operations]
      step(:iteration_clean_up) if body
      row
    end

    # What is read last before the loop is read first after it.
    def timed(invocations, &)
      collections = GC.count
      cpu = clock(Process::CLOCK_THREAD_CPUTIME_ID)
      allocations = GC.stat(:total_allocated_objects)
      start = clock
      @opened.run(invocations, &)
      elapsed = clock - start
      allocations = GC.stat(:total_allocated_objects) - allocations
      cpu_ns = clock(Process::CLOCK_THREAD_CPUTIME_ID) - cpu
      { elapsed_ns: elapsed, cpu_ns:, allocations:, collections: GC.count - collections }
    end

    def collect = [:collected].tap { GC.start }

    def close
      [:closed].tap { step(:clean_up) }
    ensure
      @opened = nil
    end

    def bye
      _, failure = catch(self) { close if @opened }
      warn "error in clean-up: #{failure[:message]}" if failure
      reply(:bye)
      exit!(0)
    end
  end
end

at_exit { Tare.main unless $! } # rubocop:disable Style/SpecialGlobalVars
