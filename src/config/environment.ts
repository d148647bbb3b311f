// The environment variables that configure the bot, but for those of crews.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { DEFAULT_COMMAND } from '../core/policy/crew.ts';
import { ok, type Result, refuse } from '../core/values/result.ts';
import { parseRedisUrl } from '../redis/address.ts';
import { CHANNEL, checkText, NOT_SAFE, whyNotHttpAddress, whyNotSafeAddress, withoutTrailingSlash } from './fields.ts';

/** The type of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Drops empty variables, which compose files set. */
export function withoutBlanks(env: Environment): Environment {
  const trimmed = Object.entries(env).map(([name, value]): [string, string] => [name, value?.trim() ?? '']);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}

/** Variables that every start needs. */
const REQUIRED = ['PUBLIC_URL', 'SLACK_BOT_TOKEN', 'REDIS_URL', 'APP_SECRET'];

/** Returns the first step in a fresh checkout; nothing once the required variables are set or there is a .env, and in an image. */
export function whereToBegin(env: Environment, checkout: URL): string[] {
  const variables = withoutBlanks(env);
  const has = (file: string) => existsSync(new URL(file, checkout));
  if (REQUIRED.every((name) => variables[name] !== undefined) || has('.env') || !has('.env.example')) return [];
  return [`There is no .env in ${fileURLToPath(checkout)}: copy .env.example to .env, and fill it in.`];
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** 32 characters with the slash: https://docs.slack.dev/reference/app-manifest/#features */
const COMMAND_NAME = /^\/[a-z0-9_-]{1,31}$/;

/** The variables that don't depend on others. Each message follows its variable's name. */
export const SETTINGS = z.object({
  PORT: wholeNumber({ least: 0, most: 65_535, preset: 3000 }),
  PUBLIC_URL: z
    .string('is missing: the https address where Slack and the crews reach this bot')
    .check(checkText(whyNotPublic))
    .transform(withoutTrailingSlash),
  SLACK_BOT_TOKEN: z
    .string('is missing: the Bot User OAuth Token of your Slack app (OAuth & Permissions), xoxb-…')
    .regex(
      /^xoxb-[\x21-\x7e]+$/,
      'must be the complete Bot User OAuth Token of your Slack app, which starts with xoxb-',
    ),
  SLACK_API_URL: z
    .string()
    .default('https://slack.com/api/')
    .check(checkText(whyNotHttpAddress))
    .transform((url) => `${withoutTrailingSlash(url)}/`),
  COMMAND: z
    .string()
    .regex(COMMAND_NAME, 'must be / and then 1 to 31 lower-case letters, digits, - and _, such as /kickoff')
    .default(DEFAULT_COMMAND),
  REDIS_URL: z.string('is missing: the address of Redis, such as redis://localhost:6379').check(checkText(whyNotRedis)),
  REDIS_MIN_REPLICAS: wholeNumber({ least: 0, most: 100, preset: 0 }),
  APP_SECRET: z
    .string('is missing: at least 32 random characters, such as from `openssl rand -hex 32`')
    .transform((secrets) => secrets.split(',').map((secret) => secret.trim()))
    .pipe(
      z
        .tuple([z.string()], z.string())
        .refine(
          (all) => all.every(({ length }) => length >= 32),
          'must have at least 32 characters, in each part of new,old',
        ),
    ),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  RETENTION_DAYS: wholeNumber({ least: 1, most: 3650, preset: 30 }),
  WEBHOOK_AUTH: z.enum(['bearer', 'basic'], 'must be bearer or basic').default('bearer'),
  AUDIT_DAYS: wholeNumber({ least: 1, most: 36_500, preset: 400 }),
  AUDIT_LOG: z.enum(['off', 'stdout'], 'must be off or stdout').default('off'),
  AUDIT_CHANNEL: CHANNEL.optional(),
  KEEP_TEXTS: z.enum(['retention', 'attach'], 'must be retention or attach').default('retention'),
  MASK: z.enum(['known', 'off'], 'must be known or off').default('known'),
});

export type Settings = z.infer<typeof SETTINGS>;

function whyNotPublic(url: string): string | null {
  const wrong = whyNotSafeAddress(url);
  return wrong === NOT_SAFE ? `${wrong} (http://localhost:3000)` : wrong;
}

function whyNotRedis(url: string): string | null {
  const address = parseRedisUrl(url);
  return address.ok ? null : address.refusal;
}

function wholeNumber({ least, most, preset }: { least: number; most: number; preset: number }) {
  const message = `must be a whole number from ${least} to ${most}`;
  const isValid = (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;
  return z.string().default(String(preset)).refine(isValid, message).transform(Number);
}

/** Reads the mode in which Slack's requests reach the bot. */
export type SlackMode = { kind: 'http'; signingSecret: string } | { kind: 'socket'; appToken: string };

/** Refuses both at once: in the wrong mode the bot would run but get no requests. */
export function readSlackMode(env: Environment): Result<SlackMode, string[]> {
  const { SLACK_SIGNING_SECRET: signingSecret, SLACK_APP_TOKEN: appToken } = env;
  const names = 'SLACK_APP_TOKEN (Socket Mode, as in manifest.yml) or SLACK_SIGNING_SECRET (HTTP mode)';
  const wrongToken = appToken === undefined ? [] : appTokenProblems(appToken);
  if (signingSecret !== undefined && appToken !== undefined)
    return refuse([`Set only one of ${names}.`, ...wrongToken]);
  if (signingSecret !== undefined) return ok({ kind: 'http', signingSecret });
  if (appToken === undefined) {
    return refuse([`Set ${names}; both are on the Basic Information page of your Slack app.`]);
  }
  return wrongToken.length === 0 ? ok({ kind: 'socket', appToken }) : refuse(wrongToken);
}

function appTokenProblems(appToken: string): string[] {
  if (/^xapp-[\x21-\x7e]+$/.test(appToken)) return [];
  return ['SLACK_APP_TOKEN must be a complete app-level token of your Slack app, which starts with xapp-.'];
}
