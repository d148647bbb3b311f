const DAY_MS = 24 * 60 * 60_000;

export function daysInMs(days: number): number {
  return days * DAY_MS;
}

/**
 * Lua: lets a key live as long as the record beside it. Written before its record, it waits for it for the time given,
 * and the script that creates the record takes it over.
 */
export function liveLikeRecord({ key, record, waitMs }: { key: string; record: string; waitMs: string }): string {
  return `
  local left = redis.call('PTTL', ${record})
  if left == -2 then redis.call('PEXPIRE', ${key}, ${waitMs})
  elseif left >= 0 then redis.call('PEXPIRE', ${key}, left) end`;
}
