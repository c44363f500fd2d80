/**
 * An exact sliding window of weighted entries, in one step of Redis and by its clock alone: a list of `time:weight`,
 * newest first, and beside it the sum of the weights. Refused calls are not counted.
 */
export const takeScript = `
local creations, total = KEYS[1], KEYS[2]
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
  for _, entry in ipairs(redis.call('LRANGE', creations, 0, -1)) do
    local _, size = read(entry)
    sum = sum + size
  end
end
local oldest = redis.call('LINDEX', creations, -1)
while oldest do
  local at, size = read(oldest)
  if at > now - window then break end
  redis.call('RPOP', creations)
  sum = sum - size
  oldest = redis.call('LINDEX', creations, -1)
end
-- The list may have been evicted, and the sum not.
if not oldest then sum = 0 end

local allowed, blocking = 0, now
if sum + weight <= limit then
  redis.call('LPUSH', creations, string.format('%d:%d', now, weight))
  allowed, sum = 1, sum + weight
else
  -- Each entry weighs at least 1, so at most this many entries can be blocking.
  local leaving = sum + weight - limit
  local candidates = redis.call('LRANGE', creations, -leaving, -1)
  for i = #candidates, 1, -1 do
    local at, size = read(candidates[i])
    blocking, leaving = at, leaving - size
    if leaving <= 0 then break end
  end
end
local life = math.ceil(window / 1000)
redis.call('SET', total, string.format('%d', sum), 'PX', life)
redis.call('PEXPIRE', creations, life)
return { allowed, sum, blocking, now }
`;

/** Lowers the weight of an entry to the number that was created in the end, wherever the entry is by now. */
export const confirmScript = `
local creations, total = KEYS[1], KEYS[2]
local at, weight, created = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local entry = at .. ':' .. ARGV[2]
local index = redis.call('LPOS', creations, entry)
if not index then return 0 end
if created > 0 then
  redis.call('LSET', creations, index, at .. ':' .. ARGV[3])
else
  redis.call('LREM', creations, 1, entry)
end
if redis.call('EXISTS', total) == 1 then redis.call('DECRBY', total, weight - created) end
return 1
`;
