import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { checkExpression } from './check-expression.ts';
import { knownMetrics } from './known-metrics.ts';
import { parseExpression } from './promql.ts';

const FILE = new URL('../../../deploy/dashboard.json', import.meta.url);

const SOURCE = z.strictObject({ type: z.literal('prometheus'), uid: z.literal(`\${datasource}`) });
const GRID = z.strictObject({ x: z.int().min(0), y: z.int().min(0), w: z.int().min(1).max(24), h: z.int().min(1) });
const TARGET = z.looseObject({ refId: z.string(), datasource: SOURCE, expr: z.string(), legendFormat: z.string() });
const PANEL = z.looseObject({ id: z.int().positive(), title: z.string().min(1), gridPos: GRID });

/** https://grafana.com/docs/grafana/latest/visualizations/dashboards/build-dashboards/view-dashboard-json-model/ */
const DASHBOARD = z.looseObject({
  title: z.literal('Signoff'),
  uid: z.literal('signoff'),
  schemaVersion: z.literal(39),
  time: z.strictObject({ from: z.string(), to: z.string() }),
  templating: z.strictObject({
    list: z.tuple([
      z.looseObject({ name: z.literal('datasource'), type: z.literal('datasource'), query: z.literal('prometheus') }),
    ]),
  }),
  panels: z.array(
    z.discriminatedUnion('type', [
      PANEL.extend({ type: z.literal('row'), panels: z.tuple([]) }),
      ...(['stat', 'timeseries'] as const).map((type) =>
        PANEL.extend({ type: z.literal(type), datasource: SOURCE, targets: z.array(TARGET).min(1) }),
      ),
    ]),
  ),
});

const { panels } = DASHBOARD.parse(JSON.parse(readFileSync(FILE, 'utf8')));
const charts = panels.filter((panel) => panel.type !== 'row');
const targets = charts.flatMap(({ title, targets: all }) => all.map((target) => ({ title, ...target })));

/** As Grafana fills in its variables. */
const filledIn = (expr: string) => expr.replaceAll('$__rate_interval', '5m');

it('the panels have ids of their own, and so have the queries of each', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { targets: all } of charts) expect(new Set(all.map(({ refId }) => refId)).size).toBe(all.length);
});

it('the panels fit side by side', () => {
  for (const { gridPos: at } of panels) expect(at.x + at.w).toBeLessThanOrEqual(24);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

it('the queries can be answered from what a bot prints, and their legends name labels that they have', async () => {
  const known = await knownMetrics();
  expect(targets.length).toBeGreaterThan(20);
  for (const { title, expr, legendFormat } of targets) {
    expect([title, checkExpression(filledIn(expr), known)]).toEqual([title, []]);
    const { groupedBy } = parseExpression(filledIn(expr));
    const labels = [...groupedBy, ...(groupedBy.length === 0 ? ['instance'] : [])];
    for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      expect([title, labels]).toEqual([title, expect.arrayContaining([label])]);
  }
});

it('shows all metrics that Signoff has of its own', async () => {
  const shown = new Set(
    targets.flatMap(({ expr }) => parseExpression(filledIn(expr)).selectors.map(({ metric }) => metric)),
  );
  const own = [...(await knownMetrics()).keys()].filter((name) => /^signoff_.*(?<!_sum|_count)$/.test(name));
  expect(own.filter((name) => !shown.has(name))).toEqual(NOT_SHOWN);
});

/** Those that say the same as others. */
const NOT_SHOWN = ['signoff_worker_executions', 'signoff_worker_slots'];
