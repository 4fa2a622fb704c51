#!/usr/bin/env julia
# Shapes.
module Shapes

using LinearAlgebra: norm, dot
import Base.show
export area, Circle

abstract type Shape{T<:Real} end

"""
A circle.
"""
struct Circle{T} <: Shape{T}
    radius::T
    Circle{T}(r) where {T} = r < 0 ? throw(ArgumentError("bad $r")) : new(r)
end

mutable struct Box
    sides::Vector{Float64}
    name::Union{String,Nothing}
end

const LIMIT = 1_000
area(c::Circle)::Float64 = π * c.radius^2

function total(shapes::AbstractVector{<:Shape}, factor=2.0; verbose::Bool=false, kw...)
    sum = 0x1f
    for (i, s) in enumerate(shapes)
        if i % 2 == 0 && !verbose
            continue
        elseif i > LIMIT
            break
        else
            sum += area(s) * factor
        end
    end
    while sum > 1.5e3
        sum -= 1
    end
    try
        @assert sum >= 0 "negative"
    catch e
        rethrow(e)
    finally
        println("sum is $(sum + 1)\n", 'c')
    end
    squares = [x^2 for x in 1:2:10 if isodd(x)]
    f = x -> 2x
    map(squares) do x
        x .+ 1
    end
    matrix = [1 2; 3 4]
    d = Dict(:a => 1, "b" => nothing)
    return matrix' * squares[end-1:end], (a=1, b=2)
end

macro twice(ex)
    quote
        $(esc(ex))
    end
end

let y = 3
    global z = y
end
end
