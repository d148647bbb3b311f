import type { RunSummary } from '../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import { mainIn } from '../../src/sandbox/slack-workspace/driver/find-in-snapshot.ts';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { StoredMessage } from '../../src/sandbox/slack-workspace/state/workspace-state.ts';
import type { World } from './world.ts';

/** A run that somebody has started, its thread, and what the crew knows of it. */
export interface FollowedRun {
  root: Message;
  /** The card of its first request. */
  card: Message;
  /** Waits until the card says this. */
  shows(wanted: string | RegExp): Promise<string>;
  /** The replies in its thread that everybody sees, oldest first: the ids of those whom each has notified, and its text. */
  replies(): { notified: string[]; text: string }[];
  /** Those of them with this text. */
  repliesWith(words: string): { notified: string[]; text: string }[];
  /** What the crew was told, once the run is over. */
  told(): Promise<string[]>;
  /** The same so far. */
  toldSoFar(): Promise<string[]>;
}

interface Start {
  crew: string;
  /** No other run's. */
  topic: string;
  by: string;
  channel: string;
}

/** What another organisation sees, too. */
const SHARED_CHANNEL = '#partners';

/** Answers what a starter is asked before a channel sees anything that another organisation sees, too. */
export async function agreeToShare(starter: Person): Promise<void> {
  await starter.choose('Shared channel', 'Post this run here anyway');
  await starter.submit();
}

/** Starts a crew by the command line. Resolves once its first card is there. */
export async function followRun(world: World, { crew, topic, by, channel }: Start): Promise<FollowedRun> {
  const starter = world.slack.as(by);
  await starter.command(channel, '/kickoff', `${crew} topic="${topic}"`);
  if (channel === SHARED_CHANNEL) await agreeToShare(starter);
  // The card is in the channel, too, and may say the same.
  const heads = new RegExp(`${crew}[^]*${topic}[^]*Started by`);
  const isHead = (message: Message) =>
    (message.threadTs ?? message.ts) === message.ts && heads.test(visibleText(message));
  const root = await starter.waitFor(`a run of ${crew} in ${channel}`, (seen) =>
    mainIn(seen, channel).findLast(isHead),
  );
  const card = await starter.seesInThread(root, 'Approval needed');
  const summary = async () => (await world.crews.sandbox.runs()).find(({ inputs }) => inputs.topic === topic);
  const toldSoFar = async () => toldIn(await summary());
  const isReply = ({ channel, threadTs, ts, onlyFor }: StoredMessage) =>
    channel === root.channel && threadTs === root.ts && ts !== root.ts && onlyFor === undefined;
  const replies = () =>
    world.slack
      .messages()
      .filter(isReply)
      .map((message) => ({ notified: message.notifies.toSorted(), text: visibleText({ ...message, files: [] }) }));
  return {
    root,
    card,
    shows: async (wanted) => visibleText(await starter.seesChanged(card, wanted)),
    replies,
    repliesWith: (words) => replies().filter(({ text }) => text.includes(words)),
    toldSoFar,
    told: () =>
      eventually(
        async () => ((await summary())?.status === 'completed' ? toldSoFar() : undefined),
        async () => `the run about ${topic} never ended: ${JSON.stringify(await summary())}\n${await starter.screen()}`,
      ),
  };
}

function toldIn(summary: RunSummary | undefined): string[] {
  return (summary?.reviews ?? []).map(({ approved, text }) => `${approved ? 'approved' : 'rejected'}: ${text}`);
}
