// A run and its deliveries change atomically: a crash in between would lose a notification. A retry of a write whose
// answer was lost finds its own id and succeeds.
// KEYS: run, active runs, runs of the execution, deliveries of the execution, pending deliveries, all runs.
// ARGV: expected version, new run, new version, run id, 'running' or not, created at, ttl in ms ('' = none),
//       write id, then for each delivery: id, order, text.
export const COMMIT = `
  local version = redis.call('HGET', KEYS[1], 'version') or '0'
  if version ~= ARGV[1] then
    if redis.call('HGET', KEYS[1], 'write') == ARGV[8] then return 1 end
    return 0
  end
  redis.call('HSET', KEYS[1], 'version', ARGV[3], 'run', ARGV[2], 'write', ARGV[8])
  if version == '0' then
    redis.call('RPUSH', KEYS[3], ARGV[4])
    redis.call('ZADD', KEYS[6], ARGV[6], ARGV[4])
  end
  if ARGV[5] == 'running' then redis.call('SADD', KEYS[2], ARGV[4]) else redis.call('SREM', KEYS[2], ARGV[4]) end
  for i = 9, #ARGV, 3 do
    redis.call('HSET', KEYS[4], ARGV[i], ARGV[i + 2])
    redis.call('ZADD', KEYS[5], ARGV[i + 1], KEYS[4] .. ' ' .. ARGV[i])
  end
  if ARGV[7] ~= '' then
    local runs = string.sub(KEYS[1], 1, -1 - string.len(ARGV[4]))
    for _, id in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do redis.call('PEXPIRE', runs .. id, ARGV[7]) end
    redis.call('PEXPIRE', KEYS[3], ARGV[7])
    redis.call('PEXPIRE', KEYS[4], ARGV[7])
    redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', ARGV[6] - ARGV[7])
  end
  return 1`;
