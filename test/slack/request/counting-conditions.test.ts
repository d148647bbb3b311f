import { expect, it } from 'vitest';
import type { CountingCondition } from '../../../src/core/policy/explained.ts';
import { reasonLines } from '../../../src/slack/request/counting-conditions.ts';
import { sayIn } from '../../support/say.ts';

const PROD: CountingCondition = {
  text: "inputs.amount > 5000 &&\n inputs.env == 'prod'",
  verdict: 'holds',
  values: [
    ['inputs.amount', 9_000],
    ['inputs.env', 'prod'],
  ],
  missing: [],
};
const UNKNOWN: CountingCondition = {
  text: 'inputs.amount > 5',
  verdict: 'unknown',
  values: [],
  missing: ['inputs.amount'],
};
const linesIn = (language: 'en' | 'de', ...conditions: CountingCondition[]) => reasonLines(conditions, sayIn(language));

it('says which condition holds and what it saw, and nothing where none counts', () => {
  expect(linesIn('en', PROD)).toEqual([
    "These rules apply since `inputs.amount &gt; 5000 &amp;&amp; inputs.env == 'prod'` (amount: 9000 and env: prod).",
  ]);
  expect(linesIn('de', PROD)).toEqual([
    "Diese Regeln gelten, weil `inputs.amount &gt; 5000 &amp;&amp; inputs.env == 'prod'` zutrifft (amount: 9000 und env: prod).",
  ]);
  expect(linesIn('en')).toEqual([]);
});

it('says of which nobody can tell, and why', () => {
  const two = { ...UNKNOWN, missing: ['inputs.amount', 'task'] };
  expect(linesIn('en', UNKNOWN, two, { ...UNKNOWN, missing: [] })).toEqual([
    'Nobody can tell whether `inputs.amount &gt; 5` applies, since amount is missing, so the rules for both cases have to be met.',
    'Nobody can tell whether `inputs.amount &gt; 5` applies, since amount and task are missing, so the rules for both cases have to be met.',
    'Nobody can tell whether `inputs.amount &gt; 5` applies, so the rules for both cases have to be met.',
  ]);
  expect(linesIn('en', UNKNOWN, PROD)[1]).toMatch(/^`inputs\.amount .*` applies \(amount: 9000 and env: prod\)\.$/);
});

it('lets nothing in an input or a condition become a mention, a line or other code', () => {
  const values = [
    ['inputs.env', '<!channel>\n*Approved*'],
    ['starter', 'U0ANNA'],
    ['channel', 'C0RELEASE2'],
    ['inputs.long', 'x'.repeat(199)],
  ] as const;
  const [line = ''] = linesIn('en', { ...PROD, text: "inputs.env == '`<@U1>'", values });
  expect(line).toContain("`inputs.env == ''&lt;@U1&gt;'`");
  expect(line).toContain('(env: &lt;!channel&gt; *Approved*, starter: <@U0ANNA>, channel: <#C0RELEASE2> and long: xxx');
  expect(line).toMatch(/x…\)\.$/);
  expect(line).not.toContain('\n');
});
