// Each new holder gets the next number, so that one that was away too long learns of another in between, even if that
// one has ended.
// KEYS: lease, number. ARGV: new holder, ttl in ms, holder that has ended ('' = none).
// Returns the number, or the other holder and for how many ms it still has the lease.
export const TAKE = `
  local holder = redis.call('GET', KEYS[1])
  if holder and holder ~= ARGV[3] then return { holder, redis.call('PTTL', KEYS[1]) } end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return redis.call('INCR', KEYS[2])`;

// Without a holder it is taken again, unless another one had it meanwhile. All keys may have been removed.
// KEYS: lease, number. ARGV: holder, ttl in ms, its number. Returns 1, or 0 if the lease is lost.
export const RENEW = `
  local holder = redis.call('GET', KEYS[1])
  if holder and holder ~= ARGV[1] then return 0 end
  if (redis.call('GET', KEYS[2]) or ARGV[3]) ~= ARGV[3] then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  redis.call('SET', KEYS[2], ARGV[3])
  return 1`;

// KEYS: lease. ARGV: holder.
export const RELEASE = `
  if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
  return 1`;
