import type { KnownMetric } from './known-metrics.ts';
import { parseExpression, type Selector } from './promql.ts';

/** Those that Prometheus itself adds to what it scrapes. */
const ADDED = ['instance', 'job'];

const OF_COUNTERS = ['rate', 'irate', 'increase', 'resets'];

/** What is wrong with an expression, as far as it can be told from what a bot prints. */
export function checkExpression(text: string, known: ReadonlyMap<string, KnownMetric>): string[] {
  const { broken, selectors, groupedBy } = parseExpression(text);
  const labels = [...ADDED, ...selectors.flatMap(({ metric }) => [...(known.get(metric)?.labels.keys() ?? [])])];
  return [
    ...broken.map((rest) => `can't be parsed ${rest}`),
    ...(selectors.length === 0 ? ['names no metric'] : []),
    ...selectors.flatMap((selector) => checkSelector(selector, known.get(selector.metric))),
    ...groupedBy.filter((label) => !labels.includes(label)).map((label) => `no metric of it has the label ${label}`),
  ];
}

function checkSelector({ metric, matchers, givenTo }: Selector, known: KnownMetric | undefined): string[] {
  if (!known) return [`there is no metric ${metric}`];
  const isCounted = known.kind !== 'gauge';
  return [
    ...(isCounted === OF_COUNTERS.includes(givenTo ?? '') ? [] : [`${metric} is a ${known.kind}, in ${givenTo}`]),
    ...matchers.flatMap(({ label, operator, value }) => {
      const values = operator.endsWith('~') ? value.split('|') : [value];
      const absent = values.filter((each) => !known.labels.get(label)?.has(each));
      return absent.map((each) => `${metric} never has ${label}="${each}"`);
    }),
  ];
}
