import { describe, expect, it } from 'vitest';
import { decideAlike, distinctRules, policyDocument, policyHash } from '../../../src/core/policy/document.ts';
import { DEFAULT_POLICY, NOBODY } from '../../../src/core/policy/policy.ts';
import { readPolicy } from './runner/read-policy.ts';

describe('the document of a policy', () => {
  it('says each setting of the crew, and those that are not as usual of each task, condition and stage', () => {
    const usual = policyDocument(readPolicy('approvers: [@leads]'));
    expect(usual).toEqual({
      ...{ approvers: ['@leads'], quorum: 1, self_approval: true, guests: false, undo_ms: 0, min_review_ms: 0 },
      ...{ remind_after_ms: null, escalate_after_ms: null, escalate_to: [], expire_after_ms: null, on_expiry: 'close' },
      ...{ expiry_text: DEFAULT_POLICY.expiryText, tasks: [] },
    });
    const { tasks, when, stages, ...own } = policyDocument(
      readPolicy(
        `approvers: [@leads], tasks: [{ match: draft, comment: required }, { id: t7, on_decline: reject }],
         when: [{ if: "round > 1", delegation: none }], approving: [ship],
         match_titles: true, step_up: true, stages: [{ name: A, all_of: [@legal] }, { name: B }] // elsewhere as UMARIA`,
      ),
    );
    const { tasks: _, ...everywhere } = usual;
    const rules = { ...everywhere, started_elsewhere: ['UMARIA'], approving: ['ship'], step_up: true };

    const withStages = (changed: object) => {
      const all = { ...rules, ...changed };
      const seats = { name: 'A', all_of: ['@legal'], approvers: ['@legal'] };
      return {
        ...all,
        stages: [
          { ...all, ...seats },
          { ...all, name: 'B' },
        ],
      };
    };
    expect({ ...own, stages }).toEqual({ ...withStages({}), match_titles: true });
    expect(when).toEqual([{ if: 'round > 1', ...withStages({ delegation: 'none' }) }]);
    expect(tasks).toMatchObject([
      { match: 'draft', ...withStages({ comment: { approve: 'required', reject: 'required' } }) },
      { id: 't7', ...withStages({ on_decline: 'reject' }) },
    ]);
  });

  it('names the policy by its hash, and an unknown policy by that of one by which nobody may decide', () => {
    expect(policyHash(null)).toBe(policyHash({ ...NOBODY }));
    expect(policyHash(null)).not.toBe(policyHash(DEFAULT_POLICY));
  });
});

describe('the same people decide alike', () => {
  it.each([
    ['approvers: [@heads]', false],
    ['quorum: 2', false],
    ['all_of: [@legal]', false],
    ['self_approval: false', false],
    ['guests: true', false],
    ['delegation: none', false],
    ['escalate_after: 1h, escalate_to: [@heads]', false],
    ['step_up: true', false],
    ['approving: [ship]', false],
    ['stages: [{ name: A }]', false],
    ['undo: 10s, min_review: 10s, remind_after: 1h, expire_after: 1h, on_expiry: reject, comment: none', true],
  ])('by the usual rules and %s: %s', (settings, isAlike) => {
    const [usual, other] = [readPolicy('approvers: [@leads]'), readPolicy(`${withUsual(settings)}`)];
    expect(decideAlike(usual, other)).toBe(isAlike);
    expect(distinctRules([usual, other, usual])).toEqual(isAlike ? [usual] : [usual, other]);
  });
});

const withUsual = (settings: string) =>
  settings.startsWith('approvers') ? settings : `approvers: [@leads], ${settings}`;
