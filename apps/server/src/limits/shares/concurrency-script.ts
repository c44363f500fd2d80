/**
 * Takes slots of an account, as many as are free and at most one for each id; by the clock of Redis alone. A slot is a
 * member of a sorted set whose score is the time at which its lease ends. A lease is renewed by taking the same ids
 * again without a limit: a Redis that came back empty gets them back that way.
 */
export const slotScript = `
local slots, limit, lease = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

redis.call('ZREMRANGEBYSCORE', slots, '-inf', now)
local free = limit - redis.call('ZCARD', slots)
local taken = 0
for i = 3, #ARGV do
  if taken >= free then break end
  redis.call('ZADD', slots, now + lease, ARGV[i])
  taken = taken + 1
end
if taken > 0 then redis.call('PEXPIRE', slots, lease) end
return taken
`;
