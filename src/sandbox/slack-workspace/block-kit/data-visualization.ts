// Charts: the rules, and the numbers behind a picture.

import { type JsonObject, objectAt, objectsAt, stringAt } from '../json.ts';
import {
  BLOCK_KIT_DOCS,
  type Fields,
  list,
  literal,
  number,
  oneOfTypes,
  optional,
  type Rule,
  required,
  shape,
  string,
} from './rule.ts';

const DOCS = `${BLOCK_KIT_DOCS}/blocks/data-visualization-block`;

/** In a message. https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
export const MOST_CHARTS = 2;

/** Segments of a pie, and series of other charts; six until summer 2026. */
const MOST_PARTS = 12;

const label = required(string({ min: 1, max: 20 }));

const positive: Rule = (value, pointer, report) => {
  if (typeof value !== 'number' || value <= 0) report(pointer, 'must provide a number greater than 0');
};

const series: Rule = shape(
  {
    name: label,
    data: required(list(shape({ label, value: required(number) }, DOCS), { min: 1, max: 20 })),
  },
  DOCS,
);

const axes: Rule = shape(
  {
    categories: required(list(string({ min: 1, max: 20 }), { min: 1, max: 20 })),
    x_label: optional(string({ max: 50 })),
    y_label: optional(string({ max: 50 })),
  },
  DOCS,
);

function chart(type: string, fields: Fields, also?: (chart: JsonObject) => string[]): [string, Rule] {
  return [type, shape({ type: literal(type), ...fields }, DOCS, also)];
}

const withAxes: Fields = { series: required(list(series, { min: 1, max: MOST_PARTS })), axis_config: required(axes) };

/** A series has a name of its own, and one value for each category. */
function unlikeAxes(plotted: JsonObject): string[] {
  const all = objectsAt(plotted, 'series');
  const names = new Set(all.map((one) => stringAt(one, 'name')));
  const categories = objectAt(plotted, 'axis_config')?.categories;
  const expected = JSON.stringify(Array.isArray(categories) ? [...categories].sort() : []);
  const labelsOf = (one: JsonObject) =>
    JSON.stringify(
      objectsAt(one, 'data')
        .map((point) => point.label ?? '')
        .sort(),
    );
  return [
    ...(names.size < all.length ? ['series names must be unique'] : []),
    ...(all.some((one) => labelsOf(one) !== expected) ? ['data labels must match the categories'] : []),
  ];
}

/** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
export const DATA_VISUALIZATION: Fields = {
  title: required(string({ min: 1, max: 50 })),
  chart: required(
    oneOfTypes(
      new Map([
        chart('pie', {
          segments: required(list(shape({ label, value: required(positive) }, DOCS), { min: 1, max: MOST_PARTS })),
        }),
        ...['bar', 'area', 'line'].map((type) => chart(type, withAxes, unlikeAxes)),
      ]),
    ),
  ),
};

/** The numbers of a chart: a column for each series, a row for each category. */
export type ChartTable = { columns: string[]; rows: { label: string; values: number[] }[] };

/** The numbers of a chart that Slack accepts. */
export function chartTable(chart: JsonObject): ChartTable {
  if (chart.type === 'pie') {
    const rows = objectsAt(chart, 'segments').map((one) => ({
      label: stringAt(one, 'label') ?? '',
      values: [numberAt(one)],
    }));
    return { columns: ['Value'], rows };
  }
  const series = objectsAt(chart, 'series');
  const categories = objectAt(chart, 'axis_config')?.categories;
  return {
    columns: series.map((one) => stringAt(one, 'name') ?? ''),
    rows: (Array.isArray(categories) ? categories.map(String) : []).map((label) => ({
      label,
      values: series.map((one) => numberAt(objectsAt(one, 'data').find((point) => point.label === label))),
    })),
  };
}

function numberAt(point: JsonObject | undefined): number {
  return typeof point?.value === 'number' ? point.value : 0;
}
