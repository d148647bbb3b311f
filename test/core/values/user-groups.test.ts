import { expect, it } from 'vitest';
import { changeGroup, type GroupChange, type UserGroup } from '../../../src/core/values/user-groups.ts';

const KNOWN: UserGroup = { id: 'S1', handle: 'leads', isDisabled: false, updatedAt: 10, members: ['U1'] };
const group = (override: Partial<UserGroup>): GroupChange => ({ kind: 'group', group: { ...KNOWN, ...override } });
const members = (updatedAt: number): GroupChange => ({ kind: 'members', groupId: 'S1', updatedAt });

it.each<[string, UserGroup | null, GroupChange, UserGroup | null]>([
  ['a new group', null, group({}), KNOWN],
  ['a newer state', KNOWN, group({ updatedAt: 11, members: [] }), { ...KNOWN, updatedAt: 11, members: [] }],
  ['another state of the same second', KNOWN, group({ members: [] }), { ...KNOWN, members: [] }],
  ['an old state', KNOWN, group({ updatedAt: 9, members: [] }), KNOWN],
  ['no more than the members of this second, as far as they fit', KNOWN, group({ members: null }), KNOWN],
  ['a newer change of members', KNOWN, members(11), { ...KNOWN, updatedAt: 11, members: null }],
  ['a change of members that is in it', KNOWN, members(10), KNOWN],
  ['a change of members of a group that it does not know', null, members(11), null],
])('knows what a group is after it is told %s', (_, known, change, after) => {
  expect(changeGroup(known, change)).toEqual(after);
});
