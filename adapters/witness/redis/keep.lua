-- Stores lines that are later than the stored ones. KEYS[1] the hash; ARGV: for each line its
-- field, its order (the 40 digits at its beginning) and the line; or, with the order '=',
-- the stored line and its replacement.
-- Returns the fields with an unchanged line, each followed by that line.
local stayed = {}
local i = 1
while i <= #ARGV do
  local field, order = ARGV[i], ARGV[i + 1]
  local there = redis.call('HGET', KEYS[1], field)
  if order == '=' then
    if there == ARGV[i + 2] then redis.call('HSET', KEYS[1], field, ARGV[i + 3]) end
    i = i + 4
  else
    if not there or string.sub(there, 1, 40) < order then
      redis.call('HSET', KEYS[1], field, ARGV[i + 2])
    else
      stayed[#stayed + 1] = field
      stayed[#stayed + 1] = there
    end
    i = i + 3
  end
end
return stayed
