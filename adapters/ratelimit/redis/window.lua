-- The exact sliding window as a sorted set: one member for each admitted
-- request, scored by its time in microseconds of this server's clock. A known id is admitted
-- again without counting: a cluster's client repeats a command after a lost answer.
-- KEYS[1] the log; ARGV: max, window in microseconds, an id no other request has.
-- Answers {admitted, remaining, microseconds to wait}.
local log, max, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local function text(number) return string.format('%.0f', number) end
local function keep() redis.call('PEXPIRE', log, text(math.ceil(window / 1000))) end

-- A time in the future was recorded before the clock stepped back. Counting it
-- as the present admits no more than it should and rejects for at most one window.
local ahead = redis.call('ZRANGEBYSCORE', log, '(' .. text(now), '+inf')
for _, id in ipairs(ahead) do redis.call('ZADD', log, text(now), id) end
if #ahead > 0 then keep() end

redis.call('ZREMRANGEBYSCORE', log, '-inf', text(now - window))
local count = redis.call('ZCARD', log)
if redis.call('ZSCORE', log, ARGV[3]) then return {1, math.max(0, max - count), 0} end
if count >= max then
  local place = redis.call('ZRANGE', log, count - max, count - max, 'WITHSCORES')
  return {0, 0, tonumber(place[2]) + window - now}
end
redis.call('ZADD', log, text(now), ARGV[3])
keep()
return {1, max - count - 1, 0}
