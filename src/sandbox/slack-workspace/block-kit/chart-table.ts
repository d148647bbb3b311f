import { type JsonObject, objectAt, objectsAt, stringAt } from '../json.ts';

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
