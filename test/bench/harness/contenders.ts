import { freePort } from '../../../src/setup/free-port.ts';
import { programPath } from '../../support/program-path.ts';
import { startRedis } from '../../support/redis.ts';
import type { Machine } from '../machine.ts';
import { openApprovals } from './approvals.ts';
import { startBot } from './bot.ts';
import { type Card, copyOf } from './cards.ts';
import type { Cores } from './cores.ts';
import { SIGNING_SECRET } from './requests.ts';
import { type Running, runProgram } from './run-program.ts';
import { type Stubs, startStubs } from './stubs.ts';

/** The servers that are compared with each other. */
export const CONTENDERS = ['signoff', 'bare-http', 'bare-bolt', 'lean-bolt'] as const;

export type Contender = (typeof CONTENDERS)[number];

/** A server to click at. */
export interface Server {
  port: number;
  pid: number;
  stubs: Stubs;
  /** This many cards that nobody has decided. */
  cards(count: number): Promise<Card[]>;
}

/** How everything is measured. */
export interface Setup {
  cores: Cores;
  machine: Machine;
  /** How often each server is measured; reported are the medians. */
  rounds: number;
  /** Whether 100,000 pending approvals are measured, too, which takes long. */
  large: boolean;
  /** Redis writes each change to disk before it answers. */
  durable: boolean;
}

/** A card of the bot, which the baselines' cards are copies of: every server gets clicks of the same size. */
let template: Card | null = null;

/**
 * Starts one of the servers with a Redis, a Slack and a crew of its own, and ends them afterwards. The bot has to come
 * before the others.
 * @param work whether baselines only acknowledge, or do the rest of the work, too
 */
export async function withServer<T>(
  contender: Contender,
  { setup, work }: { setup: Setup; work: 'ack' | 'all' },
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const redis = await startRedis({ appendOnly: setup.durable });
  const stubs = await startStubs(setup.cores.others);
  const core = setup.cores.server;
  try {
    if (contender === 'signoff') {
      const bot = await startBot({ stubs, redisUrl: redis.url, core });
      const cards = async (count: number) => {
        const made = await openApprovals(bot, stubs, count);
        template = made[0] ?? null;
        return made;
      };
      return await use({ port: bot.port, pid: bot.pid, stubs, cards }).finally(() => bot.kill());
    }
    const port = await freePort();
    const env = { ...baselineEnvironment(stubs, redis.url), PORT: String(port), BENCH_WORK: work };
    const { pid, kill } = await startBaseline(contender, env, core);
    return await use({ port, pid, stubs, cards: copies() }).finally(kill);
  } finally {
    await stubs.stop();
    await redis.stop();
  }
}

function copies(): Server['cards'] {
  let copied = 0;
  return async (count) => {
    const card = template;
    if (card === null) throw new Error('The bot has shown no card yet.');
    return Array.from({ length: count }, () => copyOf(card, copied++));
  };
}

function startBaseline(
  baseline: Exclude<Contender, 'signoff'>,
  env: Record<string, string>,
  core: string | null,
): Promise<Running> {
  return runProgram({ args: [programPath(baseline)], env, ready: 'The baseline is ready', core });
}

function baselineEnvironment(stubs: Stubs, redisUrl: string): Record<string, string> {
  return {
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_API_URL: stubs.slackApiUrl,
    CREW_BASE_URL: stubs.crewUrl,
    REDIS_URL: redisUrl,
  };
}
