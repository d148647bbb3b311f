import type { KnownBlock } from '@slack/types';
import { CHART_LABEL_LIMIT, CHART_POINTS, CHART_TITLE_LIMIT } from './limits.ts';
import { cutLine } from './text/escape.ts';

/** A chart with one bar for each value. https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
interface ChartBlock {
  type: 'data_visualization';
  title: string;
  chart: {
    type: 'bar';
    series: { name: string; data: { label: string; value: number }[] }[];
    axis_config: { categories: string[] };
  };
}

/** A message that only workspaces with charts take; `Rendered` otherwise. */
export interface ChartMessage {
  text: string;
  blocks: (KnownBlock | ChartBlock)[];
}

interface Bar {
  /** Unique within its chart. */
  label: string;
  value: number;
}

export function barChart({ title, name, bars }: { title: string; name: string; bars: readonly Bar[] }): ChartBlock {
  const label = (words: string) => cutLine(words, CHART_LABEL_LIMIT);
  const data = bars.slice(-CHART_POINTS).map((bar) => ({ label: label(bar.label), value: bar.value }));
  return {
    type: 'data_visualization',
    title: cutLine(title, CHART_TITLE_LIMIT),
    chart: {
      type: 'bar',
      series: [{ name: label(name), data }],
      axis_config: { categories: data.map((bar) => bar.label) },
    },
  };
}

const LONGEST_BAR = 20;

/** The same in text of one width, a line for each bar: the number comes first, so that it is read out before the bar. */
export function barsInText(bars: readonly Bar[]): string {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const [labels, digits] = [bars.map(({ label }) => label.length), bars.map(({ value }) => `${value}`.length)];
  const [labelWidth, valueWidth] = [Math.max(0, ...labels), Math.max(0, ...digits)];
  const line = ({ label, value }: Bar) => {
    const length = value === 0 ? 0 : Math.max(1, Math.round((value / most) * LONGEST_BAR));
    return `${label.padEnd(labelWidth)}  ${`${value}`.padStart(valueWidth)}  ${'█'.repeat(length)}`.trimEnd();
  };
  return bars.map(line).join('\n');
}
