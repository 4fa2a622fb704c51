#!/usr/bin/env lua
-- A class by hand.
local Stack = {}
Stack.__index = Stack
local limit <const> = 0x10

function Stack.new(...)
  local self = setmetatable({ items = { ... }, n = select("#", ...) }, Stack)
  return self
end

function Stack:push(value, ...)
  if value == nil or self.n >= limit then
    return false, "full"
  elseif type(value) == 'string' and #value > 3 then
    value = value .. "!" .. [[
long text]]
  else
    value = -value ^ 2 // 3 % 5
  end
  self.n = self.n + 1
  self.items[self.n] = value
end

--[[ a longer
comment ]]
local s = Stack.new(1, 2.5e3, nil)
for i = 1, 10, 2 do
  if i > 5 then goto done end
  s:push(i)
end
::done::
for k, v in pairs(s.items) do print(k, v) end
while not (s.n <= 0) do
  s.n = s.n - 1
  if s.n == 3 then break end
end
repeat
  local x, y = s.n, function(a) return a & 1 | 2 ~ 3 end
until x ~= y
print "call" { a = 1, ["b"] = 2; 3 }
do return s end
