import { startLoadWorld } from './load-world.ts';

/** How bots shared the work, by the calls that each of them made. */
export interface Sharing {
  bots: number;
  executions: number;
  /** Kickoffs and resumes of each bot. */
  crewCalls: number[];
  slackCalls: number[];
  delivered: number;
  doubled: number;
  /** Smallest number of calls by largest. */
  crewRatio: number;
  slackRatio: number;
}

/** A bot makes at most 16 calls to a crew at once, so one bot can't keep up with a slow crew. */
const SLOW_CREW_MS = 400;

/** @param entryBots how many of the bots receive Slack's requests, in turn */
export async function sharing({
  bots,
  executions,
  entryBots = bots,
  crew = 'swift',
}: {
  bots: number;
  executions: number;
  entryBots?: number;
  crew?: 'swift' | 'slow';
}): Promise<Sharing> {
  const load = await startLoadWorld({ bots });
  if (crew === 'slow') {
    const { sandbox } = load.world.crews;
    for (const route of ['kickoff', 'resume'] as const)
      await sandbox.addFault({ route, times: executions, delayMs: SLOW_CREW_MS });
  }
  const each = async (name: string, labels?: string) =>
    Promise.all(load.bots.map((_, bot) => load.metric(bot, name, labels)));
  try {
    await load.start(executions, { entryBots });
    const cards = await load.cards(executions, 120_000);
    await Promise.all(cards.map((card, i) => load.approve(card, load.bots[i % entryBots]?.port)));
    await load.completed(executions, 120_000);
    const resumed = await load.resumed();
    const [kickoffs, resumes, posts, updates] = [
      await each('signoff_crew_calls_total', 'method="kickoff"'),
      await each('signoff_crew_calls_total', 'method="resume"'),
      await each('signoff_slack_calls_total', 'method="chat.postMessage"'),
      await each('signoff_slack_calls_total', 'method="chat.update"'),
    ];
    const crewCalls = kickoffs.map((count, bot) => count + (resumes[bot] ?? 0));
    const slackCalls = posts.map((count, bot) => count + (updates[bot] ?? 0));
    return {
      bots,
      executions,
      crewCalls,
      slackCalls,
      delivered: new Set(resumed).size,
      doubled: resumed.length - new Set(resumed).size,
      crewRatio: ratio(crewCalls),
      slackRatio: ratio(slackCalls),
    };
  } finally {
    await load.stop();
  }
}

function ratio(counts: number[]): number {
  return Math.round((Math.min(...counts) / Math.max(...counts)) * 100) / 100;
}
