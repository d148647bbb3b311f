import { z } from 'zod';
import { parseRedisUrl } from '../redis/connection/address.ts';
import { CHANNEL } from './channel.ts';
import { isLoopback, whyNotHttpAddress, withoutTrailingSlash } from './http-address.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** The environment variables that don't depend on others. Each message follows the name of its variable. */
export const SETTINGS = z.object({
  PORT: wholeNumber({ least: 0, most: 65_535, preset: 3000 }),
  PUBLIC_URL: z
    .string('is missing: the https address where Slack and the crews reach this bot')
    .check(rule(whyNotPublic))
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
    .check(rule(whyNotHttpAddress))
    .transform((url) => `${withoutTrailingSlash(url)}/`),
  REDIS_URL: z.string('is missing: the address of Redis, such as redis://localhost:6379').check(rule(whyNotRedis)),
  REDIS_MIN_REPLICAS: wholeNumber({ least: 0, most: 100, preset: 0 }),
  APP_SECRET: z
    .string('is missing: at least 32 random characters, such as from `openssl rand -hex 32`')
    .transform((secrets) => secrets.split(',').map((secret) => secret.trim()))
    .pipe(
      z
        .tuple([z.string()], z.string())
        .refine(areLongEnough, 'must have at least 32 characters, in each part of new,old'),
    ),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  RETENTION_DAYS: wholeNumber({ least: 1, most: 3650, preset: 30 }),
  WEBHOOK_AUTH: z.enum(['bearer', 'basic'], 'must be bearer or basic').default('bearer'),
  AUDIT_DAYS: wholeNumber({ least: 1, most: 36_500, preset: 400 }),
  AUDIT_LOG: z.enum(['off', 'stdout'], 'must be off or stdout').default('off'),
  AUDIT_CHANNEL: CHANNEL.optional(),
  KEEP_TEXTS: z.enum(['retention', 'attach'], 'must be retention or attach').default('retention'),
});

export type Settings = z.infer<typeof SETTINGS>;

function whyNotPublic(url: string): string | null {
  const wrong = whyNotHttpAddress(url);
  if (wrong !== null) return wrong;
  const isSafe = url.toLowerCase().startsWith('https:') || isLoopback(url);
  return isSafe ? null : 'must start with https://, except on this machine itself (http://localhost:3000)';
}

function whyNotRedis(url: string): string | null {
  const address = parseRedisUrl(url);
  return address.ok ? null : address.refusal;
}

function areLongEnough(secrets: string[]): boolean {
  return secrets.every((secret) => secret.length >= 32);
}

function wholeNumber({ least, most, preset }: { least: number; most: number; preset: number }) {
  const message = `must be a whole number from ${least} to ${most}`;
  const isValid = (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;
  return z.string().default(String(preset)).refine(isValid, message).transform(Number);
}

function rule(whyNot: (value: string) => string | null): z.core.CheckFn<string> {
  return (context) => {
    const message = whyNot(context.value);
    if (message !== null) context.issues.push({ code: 'custom', message, input: context.value });
  };
}
