/** One number of a report. */
export interface Figure {
  /** The same in every run: earlier runs are compared by it. */
  name: string;
  value: number;
  /** `ms`, `acks/s`, `bytes`, `scripts` and so on; empty for a plain number. */
  unit: string;
  better: 'more' | 'less';
  /** How it relates to the same figure of a baseline. */
  ratio?: { value: number; to: string };
  goal?: Goal;
  /** What it says about the figure that isn't a number. */
  note?: string;
}

export interface Goal {
  text: string;
  met: boolean;
}

export type Bound = { atLeast: number } | { atMost: number };

/** Whether a figure or its ratio keeps to a bound, in words and as a fact. */
export function goalOf(value: number, bound: Bound, of = ''): Goal {
  const unit = of === '' ? '' : ` × ${of}`;
  return 'atLeast' in bound
    ? { text: `≥ ${bound.atLeast}${unit}`, met: value >= bound.atLeast }
    : { text: `≤ ${bound.atMost}${unit}`, met: value <= bound.atMost };
}

/** A figure beside that of a baseline, perhaps with a bound of the ratio. */
export function compared(figure: Figure, baseline: { name: string; value: number }, bound?: Bound): Figure {
  const value = figure.value / baseline.value;
  const goal = bound && { goal: goalOf(value, bound, baseline.name) };
  return { ...figure, ratio: { value, to: baseline.name }, ...goal };
}
