import { describe, expect, it } from 'vitest';
import { checkMessage } from '../../../../src/sandbox/slack-workspace/block-kit/check-message.ts';
import { checkView } from '../../../../src/sandbox/slack-workspace/block-kit/check-view.ts';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { modal } from '../support/blocks.ts';

const DAYS = ['Mon', 'Tue'];
const points = (labels = DAYS) => labels.map((label) => ({ label, value: -1.5 }));
const series = (name: string, more: JsonObject = {}): JsonObject => ({ name, data: points(), ...more });
const axes = (more: JsonObject = {}): JsonObject => ({ categories: DAYS, x_label: 'Day', y_label: 'Runs', ...more });
const bars = (more: JsonObject = {}): JsonObject => ({
  type: 'bar',
  series: [series('Decided')],
  axis_config: axes(),
  ...more,
});
const pie = (count: number, more: JsonObject = {}): JsonObject => ({
  type: 'pie',
  segments: Array.from({ length: count }, (_, i) => ({ label: `Part ${i}`, value: 1, ...more })),
});
const block = (chart: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'data_visualization',
  title: 'Decisions',
  chart,
  ...more,
});
const messages = (...blocks: JsonObject[]) =>
  checkMessage(blocks).map(({ message, pointer }) => `${message} ${pointer}`);
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);

describe('a chart', () => {
  // https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block
  it('may be a pie, or bars, areas or lines over categories', () => {
    expect(messages(block(pie(12)), block(bars()))).toEqual([]);
    for (const type of ['area', 'line']) expect(messages(block(bars({ type })))).toEqual([]);
    expect(messages(block(bars({ type: 'donut' })))).toEqual(['unsupported type: donut /blocks/0/chart/type']);
  });

  it.each<[string, JsonObject, string]>([
    [
      '50 characters of title',
      block(bars(), { title: 'x'.repeat(51) }),
      'must be less than 51 characters /blocks/0/title',
    ],
    ['twelve segments', block(pie(13)), 'no more than 12 items allowed /blocks/0/chart/segments'],
    [
      'segments of a size',
      block(pie(1, { value: 0 })),
      'must provide a number greater than 0 /blocks/0/chart/segments/0/value',
    ],
    [
      '20 characters of label',
      block(pie(1, { label: 'x'.repeat(21) })),
      'must be less than 21 characters /blocks/0/chart/segments/0/label',
    ],
    [
      'twelve series',
      block(bars({ series: numbered(13).map((name) => series(name)) })),
      'no more than 12 items allowed /blocks/0/chart/series',
    ],
    [
      'series of different names',
      block(bars({ series: [series('A'), series('A')] })),
      'series names must be unique /blocks/0/chart',
    ],
    [
      '20 categories',
      block(
        bars({
          series: [series('A', { data: points(numbered(21)) })],
          axis_config: axes({ categories: numbered(21) }),
        }),
      ),
      'no more than 20 items allowed /blocks/0/chart/axis_config/categories',
    ],
    [
      'a value for each category',
      block(bars({ series: [series('A', { data: points(['Mon']) })] })),
      'data labels must match the categories /blocks/0/chart',
    ],
    [
      '50 characters on an axis',
      block(bars({ axis_config: axes({ x_label: 'x'.repeat(51) }) })),
      'must be less than 51 characters /blocks/0/chart/axis_config/x_label',
    ],
  ])('has at most %s', (_, refused, says) => expect(messages(refused)).toContain(says));

  it('is one of two at most in a message, and not in modals', () => {
    expect(messages(block(pie(1)), block(pie(1)), block(pie(1)))).toEqual([
      'no more than 2 data_visualization blocks allowed /blocks',
    ]);
    // https://github.com/slackapi/slack-skills-plugin/blob/33fe926/skills/block-kit/references/data-display-design.md
    expect(checkView({ type: 'home', blocks: [block(pie(1)), block(pie(1)), block(pie(1))] })).toEqual([]);
    expect(checkView(modal([block(pie(1))])).map(({ message }) => message)).toEqual([
      'unsupported type: data_visualization',
    ]);
  });
});
