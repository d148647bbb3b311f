import { expect, it } from 'vitest';
import { mayDecide } from '../../../src/core/approval/policy.ts';

it('lets the people of the workspace decide', () => {
  expect(mayDecide({ teamId: 'T1', installedTeamId: 'T1' })).toBe(true);
});

it.each([
  ['of another organisation', { teamId: 'T2', installedTeamId: 'T1' }],
  ['whose workspace is not known', { teamId: null, installedTeamId: 'T1' }],
  ['when our own workspace is not known', { teamId: 'T1', installedTeamId: null }],
  ['when nothing is known', { teamId: null, installedTeamId: null }],
])('lets nobody decide %s', (_, clicker) => {
  expect(mayDecide(clicker)).toBe(false);
});
