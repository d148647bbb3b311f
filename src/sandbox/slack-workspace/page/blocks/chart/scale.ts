/** Where a chart is drawn, in the units of its picture. */
export const FRAME = { left: 48, right: 472, top: 10, bottom: 180 };

/** From values to heights: round steps from at most zero to at least the highest value. */
export type Scale = { ticks: number[]; y(value: number): number };

const STEPS = 4;

export function scaleOf(values: readonly number[]): Scale {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const step = roundStep((high - low || 1) / STEPS);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  const perUnit = (FRAME.bottom - FRAME.top) / ((last - first) * step);
  return { ticks, y: (value) => FRAME.bottom - (value - first * step) * perUnit };
}

/** 1, 2 or 5 times a power of ten, no less than the least. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}
