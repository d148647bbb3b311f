import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { freePort } from '../../../src/setup/free-port.ts';
import { programPath } from '../../support/program-path.ts';
import { SIGNING_SECRET } from './requests.ts';
import { type Running, runProgram } from './run-program.ts';
import type { Stubs } from './stubs.ts';

/** Where the human-input webhooks of a crew go, for executions started elsewhere. */
export interface CrewAddress {
  path: string;
  authorization: string;
}

/** A bot under test. */
export interface Bot extends Running {
  port: number;
  crew: CrewAddress;
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
}

const CREW = 'bench';

export const CHANNEL = 'C0BENCH001';

const READY = 'Signoff is ready';

/** Starts a bot as an operator does. */
export async function startBot(options: BotOptions): Promise<Bot> {
  const { core, program = programPath('unlimited-bot'), port = await freePort() } = options;
  const env = { ...environment(options, port), ...options.env };
  const running = await runProgram({ args: [program], env, ready: READY, core });
  return { ...running, port, crew: await crewAddress(env) };
}

function environment({ stubs, redisUrl }: BotOptions, port: number): Record<string, string> {
  return {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_API_URL: stubs.slackApiUrl,
    REDIS_URL: redisUrl,
    APP_SECRET: 'only-for-benchmarks-but-long-enough-all-the-same',
    CREW_NAME: CREW,
    CREW_BASE_URL: stubs.crewUrl,
    CREW_TOKEN: 'bench',
    CREW_CHANNEL: CHANNEL,
  };
}

const SETTINGS = z.object({
  humanInputWebhook: z.object({ url: z.string(), authentication: z.object({ token: z.string() }) }),
});

/** As `npm run webhook` tells it to an operator. */
async function crewAddress(env: Record<string, string>): Promise<CrewAddress> {
  const { stdout } = await promisify(execFile)(process.execPath, [programPath('webhook'), CREW], { env });
  const [json = ''] = /^\{.*^\}$/ms.exec(stdout) ?? [];
  const { url, authentication } = SETTINGS.parse(JSON.parse(json)).humanInputWebhook;
  return { path: new URL(url).pathname, authorization: `Bearer ${authentication.token}` };
}
