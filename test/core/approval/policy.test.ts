import { expect, it } from 'vitest';
import { decide, findDecidable } from '../../../src/core/approval/decide.ts';
import { DEFAULT_POLICY, evaluate } from '../../../src/core/approval/policy.ts';
import { sendAgain } from '../../../src/core/approval/resume.ts';
import { decided, MARIA, PERMITTED, pending, refused, START, STRANGER } from '../../support/approvals.ts';
import { execution } from '../../support/executions.ts';

const asked = execution({ approvals: [pending()] });
const choice = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;
const refusedAsStranger = { ok: false, refusal: { kind: 'stranger' } };

it('lets members of the workspace decide', () => {
  const facts = { teamId: 'T1', installedTeamId: 'T1' };
  expect(evaluate(DEFAULT_POLICY, { execution: asked, facts })).toEqual({ kind: 'allowed' });
});

it.each([
  ['from another organisation', { teamId: 'T2', installedTeamId: 'T1' }],
  ['whose workspace is not known', { teamId: null, installedTeamId: 'T1' }],
  ['when our own workspace is not known', { teamId: 'T1', installedTeamId: null }],
  ['when nothing is known', { teamId: null, installedTeamId: null }],
])('refuses a person %s', (_, facts) => {
  expect(evaluate(DEFAULT_POLICY, { execution: asked, facts })).toEqual({ kind: 'refused', reason: 'stranger' });
});

it('refuses everyone when a policy names no approvers', () => {
  const { facts } = PERMITTED;
  expect(evaluate({ approvers: [] }, { execution: asked, facts })).toEqual({ kind: 'refused', reason: 'stranger' });
});

it.each([
  ['pending', pending()],
  ['decided', decided()],
  ['failed', refused()],
])('is asked before anything else about a %s request is told', (_, approval) => {
  const each = execution({ approvals: [approval] });
  const vote = { choice, by: MARIA, ...STRANGER };
  expect(decide(each, '1', vote, START)).toEqual(refusedAsStranger);
  expect(sendAgain(each, '1', STRANGER, START)).toEqual(refusedAsStranger);
  expect(findDecidable(each, '1', STRANGER)).toEqual(refusedAsStranger);
});

it('hides from a refused person which requests exist', () => {
  expect(findDecidable(asked, '7', STRANGER)).toEqual(refusedAsStranger);
  expect(findDecidable(asked, '7', PERMITTED)).toEqual({ ok: false, refusal: { kind: 'unknown' } });
});

it('is asked again when a decision is repeated', () => {
  const first = decide(asked, '1', { choice, by: MARIA, ...PERMITTED }, START);
  if (!first.ok) throw new Error('the first decision was refused');
  expect(decide(first.value, '1', { choice, by: MARIA, ...PERMITTED }, START + 1)).toEqual(first);
  expect(decide(first.value, '1', { choice, by: MARIA, ...STRANGER }, START + 1)).toEqual(refusedAsStranger);
});
