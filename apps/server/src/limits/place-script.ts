/**
 * Takes places of an account, as many as are free and at most one for each id; by the clock of Redis alone. A place is a
 * member of a sorted set whose score is the moment at which it is lost unless it was renewed. To renew is to take the
 * same ids again without a limit: a Redis that came back empty learns of them that way.
 */
export const placeScript = `
local places, limit, lease = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

redis.call('ZREMRANGEBYSCORE', places, '-inf', now)
local free = limit - redis.call('ZCARD', places)
local taken = 0
for i = 3, #ARGV do
  if taken >= free then break end
  redis.call('ZADD', places, now + lease, ARGV[i])
  taken = taken + 1
end
if taken > 0 then redis.call('PEXPIRE', places, lease) end
return taken
`;
