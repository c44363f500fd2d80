/**
 * An exact sliding window whose entries weigh, in one step of Redis and by its clock alone: a list of `time:weight`,
 * newest first, and beside it the sum of the weights. What is refused is not counted.
 */
export const takeScript = `
local makes, total = KEYS[1], KEYS[2]
local limit, window, weight = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function read(entry)
  local at, size = string.match(entry, '^(%d+):(%d+)$')
  return tonumber(at), tonumber(size)
end

local sum = tonumber(redis.call('GET', total) or '')
if not sum then
  -- Evicted, or never there.
  sum = 0
  for _, entry in ipairs(redis.call('LRANGE', makes, 0, -1)) do
    local _, size = read(entry)
    sum = sum + size
  end
end
local oldest = redis.call('LINDEX', makes, -1)
while oldest do
  local at, size = read(oldest)
  if at > now - window then break end
  redis.call('RPOP', makes)
  sum = sum - size
  oldest = redis.call('LINDEX', makes, -1)
end
-- The list may have been evicted, and the sum not.
if not oldest then sum = 0 end

local allowed, blocking = 0, now
if sum + weight <= limit then
  redis.call('LPUSH', makes, string.format('%d:%d', now, weight))
  allowed, sum = 1, sum + weight
else
  -- Each entry weighs at least 1, so no more entries than this can be in the way.
  local leaving = sum + weight - limit
  local inTheWay = redis.call('LRANGE', makes, -leaving, -1)
  for i = #inTheWay, 1, -1 do
    local at, size = read(inTheWay[i])
    blocking, leaving = at, leaving - size
    if leaving <= 0 then break end
  end
end
local life = math.ceil(window / 1000)
redis.call('SET', total, string.format('%d', sum), 'PX', life)
redis.call('PEXPIRE', makes, life)
return { allowed, sum, blocking, now }
`;

/** Lowers the weight of an entry to what was made in the end, wherever it is by now. */
export const settleScript = `
local makes, total = KEYS[1], KEYS[2]
local at, weight, made = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local entry = at .. ':' .. ARGV[2]
local index = redis.call('LPOS', makes, entry)
if not index then return 0 end
if made > 0 then
  redis.call('LSET', makes, index, at .. ':' .. ARGV[3])
else
  redis.call('LREM', makes, 1, entry)
end
if redis.call('EXISTS', total) == 1 then redis.call('DECRBY', total, weight - made) end
return 1
`;
