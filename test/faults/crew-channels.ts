import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import type { SlackWorkspace } from '../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { DEFAULT_SEED, type Seed } from '../../src/sandbox/slack-workspace/state/seed.ts';

/** A crew with a channel and two people of its own. */
export interface CrewChannel {
  crew: string;
  /** With `#`. */
  channel: string;
  channelId: string;
  maria: Person;
  jon: Person;
}

/** The n-th of those that the workspace was seeded with, from 1. */
export function crewChannelOf(slack: SlackWorkspace, n: number): CrewChannel {
  return {
    crew: `crew-${n}`,
    channel: `#room-${n}`,
    channelId: `C0ROOM${n}X`,
    maria: slack.as(`maria-${n}`),
    jon: slack.as(`jon-${n}`),
  };
}

export function seedWith(crewChannels: number): Seed {
  const members = Array.from({ length: crewChannels }, (_, i) => i + 1).flatMap((n) => [
    { id: `UMARIA${n}X`, name: `maria-${n}`, realName: `Maria the ${n}th` },
    { id: `UJON${n}X`, name: `jon-${n}`, realName: `Jon the ${n}th` },
  ]);
  const channels = Array.from({ length: crewChannels }, (_, i) => i + 1).map((n) => ({
    id: `C0ROOM${n}X`,
    name: `room-${n}`,
    members: [`maria-${n}`, `jon-${n}`, '@app'],
  }));
  return { ...DEFAULT_SEED, members, channels, groups: [] };
}
