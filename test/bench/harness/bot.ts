import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Json } from '../../../src/core/values/json.ts';
import { freePort } from '../../../src/setup/free-port.ts';
import { programPath } from '../../support/program-path.ts';
import { writeCrewsFile } from './crews-file.ts';
import { SIGNING_SECRET } from './requests.ts';
import { type Running, runProgram } from './run-program.ts';
import type { Stubs } from './stubs.ts';

/** A crew, and where its human-input webhooks go for executions started elsewhere. */
interface BotCrew {
  name: string;
  path: string;
  authorization: string;
}

/** A bot under test. */
export interface Bot extends Running {
  port: number;
  /** The one whose executions ask for approvals. */
  crew: BotCrew;
  /** The same bot with another of its crews in that place. */
  withCrew(name: string): Promise<Bot>;
}

export interface BotOptions {
  stubs: Stubs;
  redisUrl: string;
  core: string | null;
  /** The bot without Slack's rate limits by default; a path of another one, such as the production build. */
  program?: string;
  /** Default: a free one. */
  port?: number;
  env?: Record<string, string>;
  /** What the crews file says of the `approval` of each crew, by its name. Default: one crew, of which it says nothing. */
  policies?: Policies;
}

type Policies = Readonly<Record<string, Readonly<Record<string, Json>>>>;

const CREW = 'bench';

export const CHANNEL = 'C0BENCH001';

const READY = 'Signoff is ready';

/** Starts a bot as an operator does. */
export async function startBot(options: BotOptions): Promise<Bot> {
  const { core, program = programPath('unlimited-bot'), port = await freePort() } = options;
  const env = { ...environment(options, port), ...options.env };
  const running = await runProgram({ args: [program], env, ready: READY, core });
  const withCrew = async (name: string): Promise<Bot> => {
    return { ...running, port, crew: await botCrew(name, env), withCrew };
  };
  return withCrew(Object.keys(options.policies ?? {})[0] ?? CREW);
}

function environment({ stubs, redisUrl, policies }: BotOptions, port: number): Record<string, string> {
  return {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_API_URL: stubs.slackApiUrl,
    REDIS_URL: redisUrl,
    APP_SECRET: 'only-for-benchmarks-but-long-enough-all-the-same',
    ...(policies ? { CREWS_FILE: writeCrewsFile(crewsOf(policies, stubs)) } : oneCrew(stubs)),
  };
}

function oneCrew({ crewUrl }: Stubs): Record<string, string> {
  return { CREW_NAME: CREW, CREW_BASE_URL: crewUrl, CREW_TOKEN: 'bench', CREW_CHANNEL: CHANNEL };
}

function crewsOf(policies: Policies, { crewUrl }: Stubs): Json[] {
  const common = { base_url: crewUrl, token: 'bench', channel: CHANNEL };
  return Object.entries(policies).map(([name, approval]) => ({ name, ...common, approval: { ...approval } }));
}

const SETTINGS = z.object({
  humanInputWebhook: z.object({ url: z.string(), authentication: z.object({ token: z.string() }) }),
});

/** As `npm run webhook` tells it to an operator. */
async function botCrew(name: string, env: Record<string, string>): Promise<BotCrew> {
  const { stdout } = await promisify(execFile)(process.execPath, [programPath('webhook'), name], { env });
  const [json = ''] = /^\{.*?^\}$/ms.exec(stdout) ?? [];
  const { url, authentication } = SETTINGS.parse(JSON.parse(json)).humanInputWebhook;
  return { name, path: new URL(url).pathname, authorization: `Bearer ${authentication.token}` };
}
