#!/usr/bin/env ruby
# frozen_string_literal: true

require_relative 'tare'

Tare.bench('parse/Integer', baseline: true) { Integer('123456789') }
Tare.bench('parse/to_i') { '123456789'.to_i }
Tare.bench('parse/by_hand') { '123456789'.each_byte.reduce(0) { |value, digit| (value * 10) + digit - 48 } }

mixed = ->(n) { Array.new(n) { |index| index * 7919 % n } }
Tare.bench('sort/sort', params: { n: [10, 1000] }, set_up: mixed, baseline: true, &:sort)
Tare.bench('sort/sort_by', params: { n: [10, 1000] }, set_up: mixed) { |numbers| numbers.sort_by(&:abs) }
