import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import type { SlackWorkspace } from '../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { DEFAULT_SEED, type Seed } from '../../src/sandbox/slack-workspace/state/seed.ts';
import type { PolicyName } from './policies.ts';

const PEOPLE = ['maria', 'jon', 'ana', 'kim'] as const;

/** Somebody in the channel of a crew. Maria starts it; the others decide, as its policy lets them. */
export type Who = (typeof PEOPLE)[number];

/** A crew with a channel and people of its own. */
export interface CrewChannel extends Record<Who, Person> {
  crew: string;
  policy: PolicyName;
  /** With `#`. */
  channel: string;
  channelId: string;
}

/** The n-th of those that the workspace was seeded with, from 1. */
export function crewChannelOf(slack: SlackWorkspace, n: number, policy: PolicyName): CrewChannel {
  return {
    crew: `crew-${n}`,
    policy,
    channel: `#room-${n}`,
    channelId: `C0ROOM${n}X`,
    maria: slack.as(`maria-${n}`),
    jon: slack.as(`jon-${n}`),
    ana: slack.as(`ana-${n}`),
    kim: slack.as(`kim-${n}`),
  };
}

/** What the people of a channel are called in reports. */
export function nameIn(channel: Record<Who, Person>, { id }: Person): string {
  const who = PEOPLE.find((each) => channel[each].id === id) ?? 'somebody';
  return `${who.charAt(0).toUpperCase()}${who.slice(1)}`;
}

export function seedWith(crewChannels: number): Seed {
  const all = Array.from({ length: crewChannels }, (_, i) => i + 1);
  const members = all.flatMap((n) =>
    PEOPLE.map((who) => ({ id: `U${who.toUpperCase()}${n}X`, name: `${who}-${n}`, realName: `${who} the ${n}th` })),
  );
  const channels = all.map((n) => ({
    id: `C0ROOM${n}X`,
    name: `room-${n}`,
    members: [...PEOPLE.map((who) => `${who}-${n}`), '@app'],
  }));
  return { ...DEFAULT_SEED, members, channels, groups: [], messages: [] };
}
