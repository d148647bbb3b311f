import { describe, expect, it } from 'vitest';
import { verdictUnder } from '../../../src/core/policy/outcomes.ts';
import { settingsOf } from '../../../src/core/policy/policy.ts';
import { readPolicy } from './runner/read-policy.ts';

const SHORT = '{ name: Short, text: Shorter }';
const FACTS = '{ name: Facts, text: "Check the facts" }';

describe('of several rules that may apply', () => {
  it.each([
    [['undo: 10s', 'undo: 20s'], { undoMs: 20_000 }],
    [['min_review: 20s', 'min_review: 10s'], { minReviewMs: 20_000 }],
    [['comment: required', 'comment: none'], { comment: { approve: 'required', reject: 'required' } }],
    [['comment: none', 'comment: optional'], { comment: { approve: 'none', reject: 'none' } }],
    [['comment: optional', 'comment: optional'], { comment: { approve: 'optional', reject: 'optional' } }],
    [['on_decline: reject', 'on_decline: reject'], { onDecline: 'reject' }],
    [['on_decline: reject', 'on_decline: close'], { onDecline: 'close' }],
    [['on_expiry: reject, expire_after: 1h', 'on_expiry: reject, expire_after: 2h'], { onExpiry: 'reject' }],
    [['on_expiry: reject, expire_after: 1h', 'quorum: 2'], { onExpiry: 'close' }],
    [['approve_means: Ships it', 'approve_means: Ships it'], { approveMeans: 'Ships it' }],
    [['approve_means: Ships it', 'approve_means: Drops it'], { approveMeans: null }],
    [['approve_means: Ships it', 'quorum: 2'], { approveMeans: null }],
  ])('%j, the strictest setting counts', (rules, settings) => {
    expect(settingsOf(rules.map(readPolicy))).toMatchObject(settings);
    expect(settingsOf(rules.map(readPolicy).reverse())).toMatchObject(settings);
  });

  it('the templates of all can be chosen, the first of each name', () => {
    const policies = [`templates: [${SHORT}]`, `templates: [${FACTS}, { name: Short, text: Other }]`].map(readPolicy);
    expect(settingsOf(policies).templates.map(({ name, text }) => [name, text])).toEqual([
      ['Facts', 'Check the facts'],
      ['Short', 'Shorter'],
    ]);
  });

  it('an outcome approves if one of them says so', () => {
    const policies = ['approving: [ship]', 'approving: [drop]'].map(readPolicy);
    expect(['ship', 'drop', 'wait'].map((outcome) => verdictUnder(outcome, policies))).toEqual([
      'approve',
      'approve',
      'reject',
    ]);
  });
});

it('the only rules that may apply are their own settings', () => {
  const rules = readPolicy('undo: 10s');
  expect(settingsOf([rules])).toBe(rules);
  expect(settingsOf([])).toMatchObject({ undoMs: 0, minReviewMs: 0, approveMeans: null, templates: [] });
});
