import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../src/conditions/cel.ts';
import { type RequestFacts, valuesOf } from '../../src/core/policy/condition.ts';
import type { Inputs } from '../../src/core/values/json.ts';
import { runs } from '../support/sample.ts';

const KINDS = { amount: 'number', env: 'text', urgent: 'yes_no', constructor: 'text', 'e-mail': 'text' } as const;

const ASKED: RequestFacts = {
  ...{ taskId: 't1', taskName: 'Publish', isTitled: false, round: 2, askedAt: Date.parse('2026-11-26T22:30:00Z') },
  ...{ inputs: {}, starterId: 'U0SAM', channel: 'C0GENERAL', stages: [], escalated: [] },
};

function holds(text: string, inputs: Inputs = {}, change: Partial<RequestFacts> = {}): boolean | null {
  const condition = parseCondition(text, KINDS);
  if (typeof condition === 'string') throw new Error(condition);
  const policy = { inputs: KINDS, timeZone: 'Europe/Berlin', matchTitles: false };
  return condition.holds(valuesOf({ ...ASKED, inputs, ...change }, policy));
}

describe('a condition', () => {
  it.each<[string, Inputs, boolean | null]>([
    ["inputs.amount > 5000 && inputs.env == 'prod'", { amount: 9000, env: 'prod' }, true],
    ["inputs.amount > 5000 && inputs.env == 'prod'", { amount: 9000, env: 'dev' }, false],
    // Whatever the amount is.
    ["inputs.amount > 5000 && inputs.env == 'prod'", { env: 'dev' }, false],
    ["inputs.amount > 5000 && inputs.env == 'prod'", { env: 'prod' }, null],
    ["inputs.amount > 5000 || inputs.env == 'prod'", { env: 'prod' }, true],
    ['inputs.amount == 5000', { amount: 5000 }, true],
    ['inputs.amount != 5000', { amount: 5000 }, false],
    ['5000 == inputs.amount', { amount: 5000.5 }, false],
    ['inputs.amount >= 0.1 + 0.2', { amount: 0.3 }, false],
    ['inputs.amount / 3.0 > 1.0', { amount: 4 }, true],
    ['inputs.urgent ? inputs.amount > 1 : inputs.amount > 10', { urgent: false, amount: 5 }, false],
    ["inputs['e-mail'].endsWith('@example.com')", { 'e-mail': 'a@example.com' }, true],
    ["inputs.constructor == 'Gaudí'", { constructor: 'Gaudí' }, true],
    ["inputs.constructor == 'Gaudí'", {}, null],
    ["inputs.env.contains('prod')", { env: 'eu-prod-1' }, true],
    ['size(inputs.env) > 3', { env: 'prod' }, true],
    ["inputs.env in ['prod', 'staging']", { env: 'dev' }, false],
    ["task == 'Publish' && round == 2 && starter == 'U0SAM' && channel == 'C0GENERAL'", {}, true],
    // In Berlin, it is half past eleven in the evening.
    ['hour == 23', {}, true],
  ])('%s with %j is %s', (text, inputs, expected) => {
    expect(holds(text, inputs)).toBe(expected);
  });

  it.each<[string, Partial<RequestFacts>]>([
    ["task == 'Publish'", { taskName: null }],
    ["starter == 'U0SAM'", { starterId: null }],
  ])('can’t be told where what it names isn’t known: %s', (text, change) => {
    expect(holds(text, {}, change)).toBeNull();
  });

  it('names the values that it sees', () => {
    const condition = parseCondition("inputs.amount > 1 && (hour < 8 || inputs['e-mail'] == task)", KINDS);
    expect(condition).toMatchObject({ sees: ['inputs.amount', 'hour', 'inputs.e-mail', 'task'] });
  });
});

describe('a value of another kind counts as missing', () => {
  it.each<Inputs>([
    { amount: '9000' },
    { amount: true },
    { amount: null },
    { amount: [9000] },
    { amount: { valueOf: 9000 } },
    { amount: { __proto__: 9000 } },
    { ['__proto__']: { amount: 9000 } },
    {},
  ])('%j', (inputs) => {
    expect(holds('inputs.amount > 5000', inputs)).toBeNull();
  });

  it.each<[string, string]>([
    ['a text that lists would cut', 'x'.repeat(200)],
    ['a huge text', 'x'.repeat(1_000_000)],
  ])('%s', (_, env) => {
    expect(holds("inputs.env == 'prod'", { env })).toBeNull();
    expect(holds("inputs.env == 'prod'", { env: env.slice(0, 199) })).toBe(false);
  });

  it('whatever runs are started with, a condition never throws, and is true, false or unknown', () => {
    const texts = [
      "inputs.amount > 5000 && inputs.env == 'prod'",
      "inputs.constructor == '' || inputs.urgent",
      'inputs.amount * inputs.amount * inputs.amount > 1e300',
      'inputs.amount / 0.0 > 1.0 && size(inputs.env) % round == 0',
      "inputs.env + inputs.env + inputs.env == 'x'",
      'round / (round - round) == 1',
    ];
    const known = fc.record(
      { amount: fc.jsonValue(), env: fc.jsonValue(), urgent: fc.jsonValue(), constructor: fc.jsonValue() },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Inputs>;
    const numbers = fc.record({ amount: fc.double(), env: fc.string({ maxLength: 300 }) }) as fc.Arbitrary<Inputs>;
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.oneof(known, numbers), fc.nat(), (text, inputs, round) => {
        expect([true, false, null]).toContain(holds(text, inputs, { round }));
      }),
      runs({ some: 300, all: 5_000 }),
    );
  });
});

describe('is refused', () => {
  it.each([
    ['what is no expression', 'inputs.amount >', /can't be read/],
    ['what is nothing', ' ', /can't be read/],
    ['what isn’t true or false', 'inputs.amount', /must be true or false/],
    ['an input that the crew doesn’t have', 'inputs.amonut > 1', /names the input amonut/],
    ['another name', 'amount > 1', /names amount, but conditions see/],
    ['what every object has', 'inputs.__proto__ == inputs.__proto__', /names the input __proto__/],
    ['what every object has, by its name', "inputs['toString'] == ''", /names the input toString/],
    ['the constructor of a value', "inputs.env.constructor == ''", /names a part/],
    ['a name that is found out', 'inputs[inputs.env] == 1', /names a part/],
    ['types that don’t fit', "inputs.amount == 'prod'", /no such overload/],
    ['a regular expression that explodes', "inputs.env.matches('(a+)+$')", /uses matches\(\)/],
    ['a loop', '[1, 2].exists(x, x > inputs.amount)', /uses exists\(\)/],
    ['a loop in a loop', '[1].all(x, [1].all(y, [1].all(z, z > 0)))', /uses all\(\)/],
    ['what makes a missing value count as none', 'has(inputs.amount) && inputs.amount > 1', /uses has\(\)/],
    ['the clock', "timestamp('2026-01-01T00:00:00Z') < timestamp('2027-01-01T00:00:00Z')", /uses timestamp\(\)/],
    ['a map', '{"a": 1}["a"] == 1', /./],
    ['bytes', "b'a' == b'a'", /what no input can be/],
    ['a comparison with nothing', 'inputs.env == null', /what no input can be/],
    ['what is too long', `inputs.env == '${'x'.repeat(500)}'`, /longer than 500/],
    ['what has too many parts', Array.from({ length: 90 }, () => '1<2').join('&&'), /can't be read/],
    ['what is nested too deeply', `${'('.repeat(60)}true${')'.repeat(60)}`, /can't be read/],
    ['a number that is none', 'inputs.amount > 1e999', /can't be read/],
    ['code', "''.constructor.constructor('return process')()", /./],
    ['a template', `$${'{process.env.TOKEN}'} == 1`, /./],
  ])('%s', (_, text, problem) => {
    const condition = parseCondition(text, KINDS);
    expect(condition).toMatch(problem);
    // What it says is for the operator, on one line.
    expect(condition).not.toMatch(/\n/);
  });

  it('quickly, whatever is written', () => {
    const part = fc.constantFrom('inputs', '.', 'amount', '(', ')', '[', ']', "'", '"', '&&', '1', '==', '?', ':', ',');
    const noise = fc.array(fc.oneof(part, fc.string({ maxLength: 4 })), { maxLength: 60 });
    fc.assert(
      fc.property(noise, (parts) => {
        const condition = parseCondition(parts.join(''), KINDS);
        if (typeof condition === 'string') expect(condition.length).toBeLessThan(700);
      }),
      runs({ some: 300, all: 10_000 }),
    );
  });
});
