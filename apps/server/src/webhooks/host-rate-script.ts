/**
 * Gives out the times of the next tries at a host, in one step and by the clock of Redis alone.
 *
 * - Of one account the times lie 1/rate apart, and a little more: a time is moved to the grid below by up to a place, and
 *   with that too no second may hold more than the rate.
 * - Of all accounts together every time is a place on a grid of `total` places a second, a bit each, taken once. The grid
 *   repeats every second, so any second holds at most `total`.
 * - Nothing is given out further ahead than `ahead`. What finds no time gets a place in one of the account's lines, where
 *   tries that wait in PostgreSQL stand 1/rate apart: one for new events, one for those that came back from it and found
 *   no time again, one for retries and replays. Where the host had nothing to do, nobody stands in line any more.
 * - Retries and replays look less far ahead than new events. Where those fill all of it, a tenth is still for retries.
 * - An account that the host has no room for wants more than its share. From then on so does every account that uses more
 *   than it would have beside those. They get equal shares for as long as they want more, and may fill only the nearer half
 *   of the time ahead: the other half is for accounts below their share.
 * - An endpoint without a success has at most `most` tries in `window`, and a line of its own.
 *
 * The answer: now, whether the endpoint's own limit refused, how many times there are, the times, then the places in line;
 * each in microseconds from now.
 */
export const hostRateScript = `
local account, wanting, window, ownLine = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local grid, member, kind = ARGV[1], ARGV[2], ARGV[3]
local count, rate, total, ahead = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local most, windowUs, memoryUs = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local lead, newAhead = tonumber(ARGV[11]), tonumber(ARGV[12])
local second = 1000000
local time = redis.call('TIME')
local now = time[1] * second + time[2]
-- Who asks needs some time before it can try: what is nearer than that is of no use to it.
local start = now + lead
local text = function(number) return string.format('%.0f', math.ceil(number)) end

redis.call('ZREMRANGEBYSCORE', wanting, '-inf', text(now - memoryUs))
redis.call('ZREMRANGEBYSCORE', wanting, '(' .. text(now), '+inf')
local among = redis.call('ZCARD', wanting)
local isWanting = redis.call('ZSCORE', wanting, member)
if isWanting then ahead, newAhead = ahead / 2, newAhead / 2 end
local place = second / total
local ownSpacing = (second + place) / rate
local spacing = math.max(ownSpacing, among * place)
local kept = redis.call('HMGET', account, 'next', 'fair', 'share', 'new', 'late', 'again')
for index = 1, 6 do kept[index] = tonumber(kept[index]) or 0 end
-- Where the account would be, had it been given no more than its share.
local next, fair, share = kept[1], math.max(now, kept[2]), kept[3]
local lines = { live = kept[4], parked = kept[5], again = kept[6] }
-- So far ahead nothing is given out: the clock was set back. What was given out before that lies within \`ahead\`.
local tooFar = now + 5 * second + 2 * spacing
if next > tooFar then next, fair, share = start + ahead - place, now, 0 end
if next < now - second - spacing then
  lines[kind] = 0
  if kind == 'live' then lines.parked = 0 end
end
if kind == 'live' then lines.live = math.max(lines.live, lines.parked) end

local function takeFromGrid(from, upTo)
  local at = math.floor(from / second)
  local first = math.ceil((from - at * second) / place)
  while at * second <= upTo do
    local key = grid .. text(at)
    if redis.call('EXISTS', key) == 0 then
      -- One bit behind the last makes the string as long as the grid.
      redis.call('SETBIT', key, total, 1)
      redis.call('EXPIRE', key, 5)
    end
    local free = first < total and redis.call('BITPOS', key, 0, first, total - 1, 'BIT') or -1
    if free >= 0 then
      local slot = at * second + math.ceil(free * place)
      if slot > upTo then return nil end
      redis.call('SETBIT', key, free, 1)
      return slot
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
  return redis.call('LLEN', window) >= most
end

local answer, isOwnLimit, wantsMore = { now, 0, 0 }, false, false
-- New events stand behind those that wait already, unless the host has nothing to do.
local isBehind = kind == 'live' and lines.live > start + ahead
while #answer - 3 < count do
  if most > 0 and windowIsFull() then
    isOwnLimit = true
    break
  end
  local from = math.max(start, next)
  local upTo = start + ahead
  local isShare = kind == 'again' and from > upTo and share <= now
  if isShare then upTo = start + newAhead + spacing end
  if from > upTo or (isBehind and next > start) then
    wantsMore = among > 0
    break
  end
  local slot = takeFromGrid(from, upTo)
  if not slot then
    wantsMore = true
    break
  end
  next = math.max(from, slot - place) + spacing
  if isShare then share = now + 10 * spacing end
  fair = fair + (among + (isWanting and 0 or 1)) * place
  if most > 0 then
    redis.call('LPUSH', window, text(slot))
    redis.call('PEXPIRE', window, math.ceil(windowUs / 1000) + 5000)
  end
  answer[#answer + 1] = slot - now
end
local given = #answer - 3
answer[3] = given

if isOwnLimit then
  local at = tonumber(redis.call('LINDEX', window, most - 1)) + windowUs
  local own = math.max(at, tonumber(redis.call('GET', ownLine)) or 0)
  for _ = given + 1, count do
    answer[#answer + 1] = math.ceil(own - now)
    own = own + windowUs / most
  end
  redis.call('SET', ownLine, text(own), 'PX', math.ceil((own - now) / 1000) + 5000)
  answer[2] = 1
else
  local first = start + ahead
  -- Not at once among those whose time has come: they would lose theirs to these, and so on.
  if kind == 'parked' then first = math.max(first, math.min(lines.live, start + 5 * second)) end
  local line = math.max(lines[kind], first)
  for _ = given + 1, count do
    answer[#answer + 1] = math.ceil(line - now)
    line = line + spacing
  end
  if given < count then lines[kind] = line end
end
if wantsMore or (among > 0 and fair > now + second / 2) then
  redis.call('ZADD', wanting, text(now), member)
  redis.call('PEXPIRE', wanting, math.ceil(memoryUs / 1000) + 5000)
end
redis.call('HSET', account, 'next', text(next), 'fair', text(among > 0 and fair or now), 'share', text(share),
  'new', text(lines.live), 'late', text(lines.parked), 'again', text(lines.again))
local lasts = math.max(next, lines.live, lines.parked, lines.again) - now
redis.call('PEXPIRE', account, math.ceil(math.max(0, lasts) / 1000) + 5000)
return answer
`;
