import type { AdminRole, MemberKind, Team } from '../people-api.ts';
import type { StoredMember } from './workspace-state.ts';

export type SeedMember = {
  id: string;
  /** The handle, as in `@maria`. */
  name: string;
  realName: string;
  title?: string;
  timeZone?: string;
  kind?: MemberKind;
  role?: AdminRole;
  color?: string;
  /** Default: the handle at the team's domain. */
  email?: string;
  /** The team of a stranger. Default: Northwind. */
  team?: { id: string; name: string };
  enterpriseUserId?: string;
  /** The language that they have chosen. Default: `en-US`. */
  locale?: string;
  isDeactivated?: boolean;
};

/** The other organisation in shared channels. */
export const OTHER_TEAM = { id: 'T0NORTHWND', name: 'Northwind' };

const COLORS = ['#3566c4', '#b3432b', '#2f7d5b', '#8a4fa3', '#a1641a', '#336f86', '#6b5fb5', '#7a6a2f'];

/** Of the person who came after this number of others. */
export function avatarColor(index: number): string {
  return COLORS[index % COLORS.length] ?? '#3566c4';
}

/** A member as the workspace stores them; `index` is their place among the others. */
export function storedMember(home: Team, member: SeedMember, index: number): StoredMember {
  const { kind = 'member', role, team = OTHER_TEAM, enterpriseUserId, locale, isDeactivated } = member;
  const isStranger = kind === 'stranger';
  return {
    id: member.id,
    teamId: isStranger ? team.id : home.id,
    name: member.name,
    realName: member.realName,
    title: member.title ?? '',
    timeZone: member.timeZone ?? 'Europe/London',
    kind,
    color: member.color ?? avatarColor(index),
    email: member.email ?? `${member.name}@${home.domain}.example`,
    ...(role !== undefined && { role }),
    ...(isStranger && { organisation: team.name }),
    ...(enterpriseUserId !== undefined && { enterpriseUserId }),
    ...(locale !== undefined && { locale }),
    ...(isDeactivated !== undefined && { isDeactivated }),
  };
}
