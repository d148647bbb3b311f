/**
 * The smallest value that at least this share of all values don't exceed (the nearest rank), so one that really occurred;
 * null without values. https://en.wikipedia.org/wiki/Percentile#The_nearest-rank_method
 */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}
