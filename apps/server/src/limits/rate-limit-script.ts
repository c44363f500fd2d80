/**
 * An exact sliding window in one step of Redis, by the clock of Redis alone: a list of the times of the allowed calls,
 * newest first. A call is allowed while fewer than `limit` of them are younger than the window.
 * Reads `calls`, `limit`, `window` and `now`; sets `allowed`, `count`, `blocking` and `newest`.
 */
export const slidingWindow = `
local oldest = redis.call('LINDEX', calls, -1)
while oldest and tonumber(oldest) <= now - window do
  redis.call('RPOP', calls)
  oldest = redis.call('LINDEX', calls, -1)
end

local count = redis.call('LLEN', calls)
local allowed, blocking, newest = 0, 0, now
if count < limit then
  redis.call('LPUSH', calls, string.format('%d', now))
  redis.call('PEXPIRE', calls, math.ceil(window / 1000))
  allowed, count = 1, count + 1
else
  newest = tonumber(redis.call('LINDEX', calls, 0))
  blocking = tonumber(redis.call('LINDEX', calls, limit - 1))
end
`;

/**
 * The same step reads the account's token, so that a cached key needs no second round trip. A change of the account's
 * keys or plan deletes the token, and the next call creates a new one.
 */
export const rateLimitScript = `
local calls, tokenKey = KEYS[1], KEYS[2]
local limit, window, fresh = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local token = redis.call('GET', tokenKey)
if not token then
  token = fresh
  redis.call('SET', tokenKey, token, 'EX', 86400)
end
${slidingWindow}
return { allowed, count, blocking, newest, now, token }
`;
