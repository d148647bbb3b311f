import { expect, it } from 'vitest';
import { type Approver, DEFAULT_POLICY } from '../../src/core/policy/policy.ts';
import { policyStatements } from '../../src/core/policy/statements.ts';
import { placeOf, settingsOf } from '../../src/tools/policy-settings.ts';

const DAY = 24 * 60 * 60_000;

const CREW = {
  name: 'research',
  hours: null,
  requireUserToken: false,
  channel: null,
  startedElsewhere: 'followed',
} as const;

it('names the settings that each sentence comes from', () => {
  const leads: Approver = { kind: 'handle', name: '@leads' };
  const policy = { ...DEFAULT_POLICY, escalateAfterMs: DAY, escalateTo: [leads], expireAfterMs: 2 * DAY };
  expect(policyStatements({ policy, crew: CREW }).map((rule) => settingsOf(rule, policy))).toEqual([
    ['approvers', 'quorum'],
    ['self_approval'],
    ['escalate_after', 'escalate_to'],
    ['expire_after', 'on_expiry'],
  ]);
});

it('finds the settings of stages and conditions, and what they leave out around them', () => {
  const at = (line: number) => ({ source: 'crews.yml', line });
  const paths = ['quorum', 'stages', 'stages.0.name', 'when', 'when.0.if', 'tasks.0.match', 'tasks.0.when'];
  const places = new Map([...paths, 'tasks.0.when.0.if'].map((path, i) => [`approval.${path}`, at(i + 1)]));
  const lines = (task: number | null, ...settings: Parameters<typeof placeOf>[1]) =>
    placeOf(places, settings, task)?.lines ?? [];
  expect(lines(null, 'stages.0.name', 'stages.0.quorum')).toEqual([3, 1]);
  expect(lines(0, 'stages.0.name', 'stages.0.quorum')).toEqual([3, 1]);
  expect(lines(null, 'when.0.if', 'when.0.quorum')).toEqual([5, 1]);
  expect(lines(null, 'when.0.if', 'when.0.stages.0.quorum')).toEqual([5]);
  expect(lines(0, 'when.0.if', 'when.1.if')).toEqual([8]);
});
