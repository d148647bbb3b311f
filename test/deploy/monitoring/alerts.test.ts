import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { checkExpression } from './check-expression.ts';
import { type KnownMetric, knownMetrics } from './known-metrics.ts';
import { parseExpression } from './promql.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const DURATION = z.string().regex(/^\d+[smhd]$/);

/** https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/ */
const RULE = z.strictObject({
  alert: z.string().regex(/^Signoff[A-Z][A-Za-z]+$/),
  expr: z.string(),
  for: DURATION.optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
  annotations: z.strictObject({
    summary: z.string().regex(/\.$/),
    description: z.string().regex(/\.$/),
    runbook: z.literal('docs/operations.md#alerts'),
  }),
});
const FILE = z.strictObject({
  groups: z.tuple([z.strictObject({ name: z.literal('signoff'), rules: z.array(RULE) })]),
});

const [{ rules }] = FILE.parse(parse(read('deploy/alerts.yml'))).groups;

let known: ReadonlyMap<string, KnownMetric>;
beforeAll(async () => {
  known = await knownMetrics();
});

describe('the alerts', () => {
  it.each(rules.map(({ alert, expr }) => [alert, expr]))('can be evaluated from what a bot prints: %s', (_, expr) => {
    expect(checkExpression(expr, known)).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.alert, rule]))('name only labels that their result has: %s', (_, rule) => {
    const { selectors, groupedBy } = parseExpression(rule.expr);
    const isAggregated = /\b(sum|max|min|count) *(by|\()/.test(rule.expr);
    const own = selectors.flatMap(({ metric }) => [...(known.get(metric)?.labels.keys() ?? []), 'instance']);
    const labels = isAggregated ? groupedBy : own;
    const named = Object.values(rule.annotations).flatMap((text) => [...text.matchAll(/\{\{(.*?)\}\}/g)]);
    for (const [, inner = ''] of named) {
      const [, label = null] = /^ \$labels\.(\w+) $/.exec(inner) ?? [];
      if (label === null) expect(inner).toMatch(/^ \$value( \| humanize(Duration)?)? $/);
      else expect(labels).toContain(label);
    }
  });

  it('have names of their own, and a row each in docs/operations.md that says what to do', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    const [, section = ''] = /\n## Alerts\n([\s\S]*?)\n##/.exec(read('docs/operations.md')) ?? [];
    const rows = [...section.matchAll(/^\| `(Signoff\w+)` \|/gm)].map(([, name = '']) => name);
    expect(rows).toEqual(names);
  });
});

describe('the check of expressions', () => {
  it.each([
    ['sum(signoff_store_up', "can't be parsed"],
    ['sun(signoff_store_up)', "can't be parsed"],
    ['1 > 0', 'names no metric'],
    ['signoff_store_down == 0', 'there is no metric signoff_store_down'],
    ['signoff_faults_total > 0', 'signoff_faults_total is a counter, in null'],
    ['rate(signoff_store_up[5m])', 'signoff_store_up is a gauge, in rate'],
    ['increase(signoff_faults_total{where="moon"}[5m])', 'never has where="moon"'],
    ['increase(signoff_faults_total{where=~"http|moon"}[5m])', 'never has where="moon"'],
    ['sum by (crew) (rate(signoff_faults_total[5m]))', 'no metric of it has the label crew'],
  ])('finds what is wrong with %s', (expression, fault) => {
    expect(checkExpression(expression, known).join()).toContain(fault);
  });
});
