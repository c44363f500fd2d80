/**
 * The operations on the lease registry, each one atomic in Redis. The registry is one hash, so it is lost whole or not
 * at all: a field for each lease with the number of its renewals, `revoked:` before the names of those that may not be
 * renewed, `#id` for the registry itself, `#settled`, `#version` (increases when a lease is added or removed), `#stream` and
 * `#newest` (the highest number of a change that was assigned), and `#sweeper` (the lease whose process sweeps).
 *
 * No script asks Redis for the time: leases are measured by the monotonic clocks of the processes that hold or read them.
 */

/**
 * The generation changes whenever Redis may have forgotten something: the hash is gone (a restart, FLUSHALL,
 * eviction), or another Redis process answers (a restart with old data, a replica that lags).
 */
const generation = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or 'unknown'
redis.call('HSETNX', KEYS[1], '#id', ARGV[1])
local generation = redis.call('HGET', KEYS[1], '#id') .. ':' .. run
`;

const numbers = `redis.call('HMGET', KEYS[1], '#stream', '#newest')`;
const changed = `redis.call('HINCRBY', KEYS[1], '#version', 1)`;

/** ARGV: candidate id, name, former name. The process that held the former lease no longer trusts it. */
export const join = `${generation}
redis.call('HDEL', KEYS[1], ARGV[3], 'revoked:' .. ARGV[3])
redis.call('HSET', KEYS[1], ARGV[2], 1)
${changed}
return { generation, ${numbers} }`;

/**
 * ARGV: candidate id, name, its generation, 1 where the caller has known that generation for a whole lease. One lease sweeps
 * for all: with each sweeping for itself, the work would grow with their square.
 */
export const renew = `${generation}
if generation ~= ARGV[3] or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 then return false end
redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
if ARGV[4] == '1' then redis.call('HSET', KEYS[1], '#settled', run) end
local sweeper = redis.call('HGET', KEYS[1], '#sweeper')
if not sweeper or redis.call('HEXISTS', KEYS[1], sweeper) == 0 then
  sweeper = ARGV[2]
  redis.call('HSET', KEYS[1], '#sweeper', sweeper)
end
return { sweeper, redis.call('HGET', KEYS[1], sweeper), ${numbers} }`;

/** ARGV: candidate id, a generation that the caller has known for a whole lease. */
export const markSettled = `${generation}
if generation == ARGV[2] then redis.call('HSET', KEYS[1], '#settled', run) end
return 1`;

/**
 * ARGV: candidate id, the generation and version that the caller knows, and the stream and number of a change, or empty.
 * Returns no fields where the caller knows them.
 */
export const read = `${generation}
if ARGV[3] ~= '' then
  if redis.call('HGET', KEYS[1], '#stream') ~= ARGV[3] then
    redis.call('HSET', KEYS[1], '#stream', ARGV[3], '#newest', ARGV[4])
  elseif tonumber(ARGV[4]) > tonumber(redis.call('HGET', KEYS[1], '#newest')) then
    redis.call('HSET', KEYS[1], '#newest', ARGV[4])
  end
end
local settled = redis.call('HGET', KEYS[1], '#settled') == run and 1 or 0
local version = generation .. '/' .. (redis.call('HGET', KEYS[1], '#version') or '0')
return { generation, settled, version, version ~= ARGV[2] and redis.call('HGETALL', KEYS[1]) }`;

/** ARGV: fields. */
export const remove = `
for _, field in ipairs(ARGV) do
  if redis.call('HDEL', KEYS[1], field) > 0 then ${changed} end
end
return 1`;

/** ARGV: names. They stay under another field, for edits that come before the revoked leases have run out. */
export const revoke = `
for _, name in ipairs(ARGV) do
  local renewals = redis.call('HGET', KEYS[1], name)
  if renewals then
    redis.call('HDEL', KEYS[1], name)
    redis.call('HSET', KEYS[1], 'revoked:' .. name, renewals)
    ${changed}
  end
end
return 1`;

/** ARGV: fields, each followed by its renewals when it was last seen. */
export const removeExpired = `
for i = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then
    redis.call('HDEL', KEYS[1], ARGV[i])
    ${changed}
  end
end
return 1`;
