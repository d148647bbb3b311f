/**
 * A short text that changes with the value, to tell whether a message still shows the state it was rendered from. Good
 * enough for that; not collision-resistant. The mixing is cyrb53, 53 bits:
 * https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js
 */
export function fingerprint(value: unknown): string {
  return hash53(JSON.stringify(value)).toString(36);
}

/** A number in [0, 1), always the same for the same text: jitter without randomness. */
export function spread(text: string): number {
  return hash53(text) / 2 ** 53;
}

function hash53(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
