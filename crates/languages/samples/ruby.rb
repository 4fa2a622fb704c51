#!/usr/bin/env ruby
# frozen_string_literal: true

require "set"

module Shapes
  LIMIT = 1_000

  class Shape < Struct.new(:name, :sides)
    include Comparable
    attr_reader :name, :area
    @@count = 0

    def initialize(name, *rest, sides: 3, **options, &block)
      @name = name
      @sides ||= sides
      @@count += 1
      yield self if block_given?
    end

    def <=>(other) = @sides <=> other.sides

    def self.build(list)
      list.map { |n| new(n) }.select(&:area).each_with_index do |shape, i|
        next if i.zero? || shape.nil?
        puts "#{shape.name} has #{i + 1}"
      end
    rescue ArgumentError, TypeError => e
      raise e unless e.message =~ /bad (\w+)/i
    ensure
      $stdout.flush
    end

    private

    def kind
      case @sides
      when 0..2 then :none
      when 3, 4 then "few"
      else %w[many sides].first
      end
    end
  end
end

hash = { a: 1, "b" => 2.5, c: nil, **{} }
case hash
in { a: Integer => n } if n > 0 then puts n
in [] | nil
  puts 'none'
end
text = <<~TEXT
  some #{hash[:a]} text
TEXT
i = 0
i += 1 while i < 3
until i <= 0 do i -= 1 end
add = ->(x, y = 2) { x + y }
puts add.(1) unless text&.empty? and !true
x, (y, *z) = [1, [2, 3]]
puts x > 1 ? :big : __method__
