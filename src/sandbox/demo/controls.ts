// The buttons above the page, for what a visitor can try: killing each part, and an inbox with something in it. What they
// say is what was seen to happen.
import { setTimeout as pause } from 'node:timers/promises';
import { type PageControl, PersonProblemError, type SlackWorkspace } from '@signoff/slack-workspace';
import { z } from 'zod';
import type { SampleProject } from './sample-project.ts';
import type { Supervised } from './supervisor.ts';

export type PartName = 'bot' | 'redis' | 'crew-service';

/** The parts that the buttons act on: the page is there before the bot is. */
export type RunningDemo = {
  slack: SlackWorkspace | undefined;
  readonly parts: Map<PartName, Supervised>;
};

export type InboxOptions = {
  /** null where git isn't installed: then there are incident reports alone. */
  readonly sample: SampleProject | null;
  readonly log: string;
};

export function demoControls(demo: RunningDemo, inbox: InboxOptions): PageControl[] {
  const kill = async (name: PartName) => (await demo.parts.get(name)?.kill()) ?? STILL_STARTING;
  return [
    { id: 'fill-inbox', label: 'Fill the inbox', press: () => fillInbox(demo, inbox) },
    { id: 'kill-bot', label: 'Kill the bot', press: () => killBot(demo) },
    { id: 'kill-redis', label: 'Kill Redis', press: () => kill('redis') },
    { id: 'kill-crew-service', label: 'Kill the crew service', press: () => kill('crew-service') },
  ];
}

const STILL_STARTING = 'The demo is still starting.';
const POLL_MS = 100;

async function killBot({ slack, parts }: RunningDemo): Promise<string> {
  const bot = parts.get('bot');
  if (slack === undefined || bot === undefined) return STILL_STARTING;
  const click = clickUnderWay(slack);
  const text = await bot.kill();
  const after = click && (await carriedOut(slack, click));
  return after === undefined ? text : `${text} ${after}`;
}

/** Requests that the bot has acknowledged, but whose card doesn't appear yet. */
type ClickUnderWay = {
  readonly who: string;
  readonly label: string;
  readonly channel: string;
  readonly ts: string;
  readonly textBefore: string;
};

/** https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
const clickOnCard = z.object({
  user: z.object({ id: z.string() }),
  container: z.object({ channel_id: z.string(), message_ts: z.string() }),
  message: z.object({ text: z.string() }),
  actions: z.tuple([z.object({ text: z.object({ text: z.string() }) })]),
});

const RECENT_MS = 15_000;
const CARRIED_OUT_MS = 6_000;

function clickUnderWay(slack: SlackWorkspace): ClickUnderWay | undefined {
  const last = slack.calls().findLast(({ name, direction }) => name === 'block_actions' && direction === 'to-app');
  if (last?.outcome !== 'ok' || Date.now() - last.at > RECENT_MS) return undefined;
  const { data } = clickOnCard.safeParse(last.request);
  if (data === undefined) return undefined;
  const { channel_id: channel, message_ts: ts } = data.container;
  const card = cardAt(slack, { channel, ts });
  if (card?.text !== data.message.text) return undefined;
  return { who: data.user.id, label: data.actions[0].text.text, channel, ts, textBefore: card.text };
}

async function carriedOut(slack: SlackWorkspace, click: ClickUnderWay): Promise<string | undefined> {
  for (const until = Date.now() + CARRIED_OUT_MS; Date.now() < until; await pause(POLL_MS)) {
    const card = cardAt(slack, click);
    if (card !== undefined && card.text !== click.textBefore) {
      const { members } = await slack.as(click.who).snapshot();
      const name = members.find(({ id }) => id === click.who)?.realName;
      return `${name}’s click on “${click.label}”, which it had acknowledged before, was carried out.`;
    }
  }
  return undefined;
}

function cardAt(slack: SlackWorkspace, { channel, ts }: { readonly channel: string; readonly ts: string }) {
  return slack.messages().find((message) => message.channel === channel && message.ts === ts);
}

const IN_TIME_MS = 60_000;

/** Four people ask for something, as people do. Resolves once all of it waits for a decision. */
async function fillInbox({ slack, parts }: RunningDemo, options: InboxOptions): Promise<string> {
  if (slack === undefined || !parts.has('bot')) return STILL_STARTING;
  const before = { runs: theirRuns(slack), cards: openCards(slack) };
  const started = () => theirRuns(slack).filter((ts) => !before.runs.includes(ts)).length;
  const waiting = () => openCards(slack).filter((ts) => !before.cards.includes(ts)).length;
  const until = Date.now() + IN_TIME_MS;
  const kickoffs = kickoffsOf(options);
  for (const kickoff of kickoffs) await give(slack, kickoff, until);
  while (Date.now() < until && waiting() < Math.max(kickoffs.length, started())) await pause(POLL_MS);
  const where = 'in #releases, #general and #incidents, and in the Home tab of Signoff, under Apps';
  return `${started()} runs were started by Jon, Aiko, Priya and Lena. ${waiting()} more requests wait, ${where}.`;
}

/**
 * A bot that was just killed, or has a busy machine, doesn't answer within Slack's three seconds: then people try again. What they
 * tried first may have been started, too.
 */
async function give(slack: SlackWorkspace, { who, channel, words }: Kickoff, until: number): Promise<void> {
  for (;;) {
    try {
      return await slack.as(who).command(channel, '/kickoff', words);
    } catch (error) {
      if (!(error instanceof PersonProblemError) || Date.now() >= until) throw error;
      await pause(POLL_MS);
    }
  }
}

/** The messages that head these people's runs. */
function theirRuns(slack: SlackWorkspace): string[] {
  const theirs = slack.messages().filter(({ text }) => /Started by (?:Jon|Aiko|Priya|Lena) /.test(text));
  return theirs.map(({ ts }) => ts);
}

/** The cards of these people's runs that wait for a decision. */
function openCards(slack: SlackWorkspace): string[] {
  const runs = theirRuns(slack);
  const cards = slack
    .messages()
    .filter(({ text, threadTs = '' }) => text.startsWith('Approval needed') && runs.includes(threadTs));
  return cards.map(({ ts }) => ts);
}

type Kickoff = { readonly who: string; readonly channel: string; readonly words: string };

function kickoffsOf({ sample, log }: InboxOptions): Kickoff[] {
  const today = new Date().toISOString().slice(0, 10);
  const report = (severity: string, customers: number) =>
    `incident-report log_file="${log}" severity=${severity} started_on=${today} customers_affected=${customers}`;
  const notes = (since: string, instead: string) =>
    sample ? `release-notes repository="${sample.repository}" since=${since}` : instead;
  return [
    { who: 'jon', channel: 'releases', words: notes('v2.3', report('sev4', 3)) },
    { who: 'aiko', channel: 'general', words: report('sev1', 2_300) },
    { who: 'priya', channel: 'general', words: notes('2026-10-12', report('sev2', 87)) },
    { who: 'lena', channel: 'releases', words: notes('2026-10-19', report('sev3', 12)) },
    { who: 'jon', channel: 'incidents', words: report('sev3', 41) },
  ];
}
