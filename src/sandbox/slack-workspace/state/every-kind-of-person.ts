import type { Seed } from './seed.ts';
import type { SeedMember } from './seed-member.ts';

/** People whom a rule about who may do something has to tell apart, besides those of the default workspace. */
const PEOPLE: SeedMember[] = [
  { id: 'ULUCA0007', name: 'luca', realName: 'Luca Bianchi', title: 'Translator', kind: 'channel-guest' },
  { id: 'UDORA0008', name: 'dora', realName: 'Dora Lindqvist', title: 'Engineer', isDeactivated: true },
  { id: 'UBUILDER9', name: 'builder', realName: 'Builder', kind: 'app' },
  {
    id: 'UMARIAN10',
    name: 'maria.northwind',
    realName: 'Maria Alvarez',
    title: 'Consultant',
    kind: 'stranger',
    email: 'maria@sandbox.example',
  },
  {
    id: 'UINES0011',
    name: 'ines',
    realName: 'Ines Duarte',
    title: 'Counsel',
    kind: 'stranger',
    team: { id: 'T0CONTOSO1', name: 'Contoso' },
    enterpriseUserId: 'W0INES0011',
  },
];

/**
 * Adds a single-channel guest, a deactivated person, a bot, a second account of Maria in another organisation and a
 * stranger known to an enterprise. The guest and the bot are in `#releases`, the strangers in `#partners`.
 */
export function withEveryKindOfPerson(seed: Seed): Seed {
  const added: { [channel: string]: string[] } = {
    releases: ['luca', 'builder'],
    partners: ['maria.northwind', 'ines'],
  };
  const channels = seed.channels.map((channel) => {
    const { members, name } = channel;
    return members ? { ...channel, members: [...members, ...(added[name] ?? [])] } : channel;
  });
  return { ...seed, members: [...seed.members, ...PEOPLE], channels };
}
