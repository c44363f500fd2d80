/**
 * Reserves times for the next attempts at a host, atomically and by Redis' clock alone.
 *
 * - One account's times lie 1/rate apart, and a little more: the grid below moves a time by up to a cell, and even then no
 *   second may hold more than the rate.
 * - For all accounts together, every time is a cell of a grid with `total` cells a second, one bit each, taken once. The
 *   grid repeats every second, so any second holds at most `total`.
 * - Nothing is reserved beyond the `horizon`. An attempt without a time gets the end of one of the account's queues, in
 *   which messages that wait in PostgreSQL are 1/rate apart: one queue for new events, one for those that came back from
 *   PostgreSQL and found no time again, one for retries and replays. Once the host was idle, the queues are empty.
 * - The horizon of retries and replays is nearer than that of new events. Where new events fill it, retries keep a tenth.
 * - An account for which the host has no room is saturated. From then on so is every account that uses more than its share
 *   beside those. Saturated accounts get equal shares while they ask for more, and may fill only the nearer half of the
 *   horizon: the other half is for accounts below their share.
 * - An endpoint without a success has at most `limit` attempts per `window`, and a queue of its own.
 *
 * Returns the time, whether the endpoint's own limit refused, the number of reserved times, those times, and then the
 * waits; each in microseconds from now.
 */
export const hostRateLimiterScript = `
local account, saturated, window, endpointQueue = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local grid, member, kind = ARGV[1], ARGV[2], ARGV[3]
local count, rate, total, horizon = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local limit, windowUs, saturatedUs = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local lead, newHorizon = tonumber(ARGV[11]), tonumber(ARGV[12])
local second = 1000000
local time = redis.call('TIME')
local now = time[1] * second + time[2]
-- The caller needs the lead before it can send: nearer times are of no use to it.
local start = now + lead
local text = function(number) return string.format('%.0f', math.ceil(number)) end

redis.call('ZREMRANGEBYSCORE', saturated, '-inf', text(now - saturatedUs))
redis.call('ZREMRANGEBYSCORE', saturated, '(' .. text(now), '+inf')
local saturatedCount = redis.call('ZCARD', saturated)
local isSaturated = redis.call('ZSCORE', saturated, member)
if isSaturated then horizon, newHorizon = horizon / 2, newHorizon / 2 end
local cell = second / total
local ownSpacing = (second + cell) / rate
local spacing = math.max(ownSpacing, saturatedCount * cell)
local state = redis.call('HMGET', account, 'next', 'fair', 'retryShare', 'new', 'deferred', 'retry')
for index = 1, 6 do state[index] = tonumber(state[index]) or 0 end
-- \`fair\` is where the account would be, had it been given no more than its share.
local next, fair, retryShare = state[1], math.max(now, state[2]), state[3]
local queues = { new = state[4], deferred = state[5], retry = state[6] }
-- Nothing is reserved so far ahead: the clock was set back. Earlier reservations lie within the horizon.
local tooFar = now + 5 * second + 2 * spacing
if next > tooFar then next, fair, retryShare = start + horizon - cell, now, 0 end
if next < now - second - spacing then
  queues[kind] = 0
  if kind == 'new' then queues.deferred = 0 end
end
if kind == 'new' then queues.new = math.max(queues.new, queues.deferred) end

local function takeFromGrid(from, upTo)
  local at = math.floor(from / second)
  local first = math.ceil((from - at * second) / cell)
  while at * second <= upTo do
    local key = grid .. text(at)
    if redis.call('EXISTS', key) == 0 then
      -- One bit behind the last makes the string as long as the grid.
      redis.call('SETBIT', key, total, 1)
      redis.call('EXPIRE', key, 5)
    end
    local free = first < total and redis.call('BITPOS', key, 0, first, total - 1, 'BIT') or -1
    if free >= 0 then
      local reserved = at * second + math.ceil(free * cell)
      if reserved > upTo then return nil end
      redis.call('SETBIT', key, free, 1)
      return reserved
    end
    at, first = at + 1, 0
  end
  return nil
end

local function windowIsFull()
  local oldest = redis.call('LINDEX', window, -1)
  if oldest and tonumber(oldest) > tooFar then redis.call('DEL', window) end
  while oldest and tonumber(oldest) <= now - windowUs do
    redis.call('RPOP', window)
    oldest = redis.call('LINDEX', window, -1)
  end
  return redis.call('LLEN', window) >= limit
end

local answer, isEndpointLimit, wantsMore = { now, 0, 0 }, false, false
-- New events queue behind those that wait already, unless the host is idle.
local isBehind = kind == 'new' and queues.new > start + horizon
while #answer - 3 < count do
  if limit > 0 and windowIsFull() then
    isEndpointLimit = true
    break
  end
  local from = math.max(start, next)
  local upTo = start + horizon
  local isRetryShare = kind == 'retry' and from > upTo and retryShare <= now
  if isRetryShare then upTo = start + newHorizon + spacing end
  if from > upTo or (isBehind and next > start) then
    wantsMore = saturatedCount > 0
    break
  end
  local reserved = takeFromGrid(from, upTo)
  if not reserved then
    wantsMore = true
    break
  end
  next = math.max(from, reserved - cell) + spacing
  if isRetryShare then retryShare = now + 10 * spacing end
  fair = fair + (saturatedCount + (isSaturated and 0 or 1)) * cell
  if limit > 0 then
    redis.call('LPUSH', window, text(reserved))
    redis.call('PEXPIRE', window, math.ceil(windowUs / 1000) + 5000)
  end
  answer[#answer + 1] = reserved - now
end
local given = #answer - 3
answer[3] = given

if isEndpointLimit then
  local freeAt = tonumber(redis.call('LINDEX', window, limit - 1)) + windowUs
  local queue = math.max(freeAt, tonumber(redis.call('GET', endpointQueue)) or 0)
  for _ = given + 1, count do
    answer[#answer + 1] = math.ceil(queue - now)
    queue = queue + windowUs / limit
  end
  redis.call('SET', endpointQueue, text(queue), 'PX', math.ceil((queue - now) / 1000) + 5000)
  answer[2] = 1
else
  local first = start + horizon
  -- Not at once among messages that are due: those would lose their times to these, which would defer them in turn.
  if kind == 'deferred' then first = math.max(first, math.min(queues.new, start + 5 * second)) end
  local queue = math.max(queues[kind], first)
  for _ = given + 1, count do
    answer[#answer + 1] = math.ceil(queue - now)
    queue = queue + spacing
  end
  if given < count then queues[kind] = queue end
end
if wantsMore or (saturatedCount > 0 and fair > now + second / 2) then
  redis.call('ZADD', saturated, text(now), member)
  redis.call('PEXPIRE', saturated, math.ceil(saturatedUs / 1000) + 5000)
end
redis.call('HSET', account, 'next', text(next), 'fair', text(saturatedCount > 0 and fair or now),
  'retryShare', text(retryShare), 'new', text(queues.new), 'deferred', text(queues.deferred), 'retry', text(queues.retry))
local lasts = math.max(next, queues.new, queues.deferred, queues.retry) - now
redis.call('PEXPIRE', account, math.ceil(math.max(0, lasts) / 1000) + 5000)
return answer
`;
