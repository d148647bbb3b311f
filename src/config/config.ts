import type { Crew } from '../core/policy/crew.ts';
import { ok, type Result, refuse } from '../core/values/result.ts';
import type { Mask } from '../core/values/secrets.ts';
import type { SinkSettings } from '../ledger/sink/receiver.ts';
import type { SignInSettings } from '../step-up/identity-provider.ts';
import { type Crews, type PolicyPlaces, readCrews } from './crews.ts';
import {
  type Environment,
  type LogLevel,
  readSlackMode,
  SETTINGS,
  type Settings,
  type SlackMode,
  withoutBlanks,
} from './environment.ts';
import { readSignInSettings, signInProblems } from './sign-in-settings.ts';
import { readSinkSettings } from './sink-settings.ts';

// The bot's settings as a whole, from the environment and the crews file.

export interface Config {
  port: number;
  /** No trailing slash. */
  publicUrl: string;
  /** `apiUrl` ends with a slash; `command` is what people type to start a crew, such as `/kickoff`. */
  slack: { botToken: string; apiUrl: string; mode: SlackMode; command: string };
  redis: { url: string; minReplicas: number };
  /** The newest first. Credentials derived from older ones are still accepted. */
  secrets: [string, ...string[]];
  crews: Crew[];
  /** Positions of the settings of policies, by the crew's name. */
  policyPlaces: ReadonlyMap<string, PolicyPlaces>;
  logLevel: LogLevel;
  retentionDays: number;
  /** `attach`: approved texts are also attached to their threads. `retention`: they expire with their runs. */
  keepTexts: 'retention' | 'attach';
  mask: Mask;
  webhookAuth: 'bearer' | 'basic';
  /** The ledger: lifetime of its entries, and their receivers besides Redis. `channel` is an id or a name. */
  audit: { days: number; log: 'off' | 'stdout'; channel: string | null; sink: SinkSettings | null };
  /** Null if no rules require a sign-in. */
  signIn: SignInSettings | null;
}

/**
 * Reads the settings from environment variables, and from the crews file that one of them names. The refusal has a sentence
 * for every bad setting, which says what to do and never repeats a value but the path of that file.
 */
export function readConfig(env: Environment): Result<Config, string[]> {
  const settingsEnv = withoutBlanks(env);
  const settings = SETTINGS.safeParse(settingsEnv);
  const mode = readSlackMode(settingsEnv);
  const crews = readCrews(settingsEnv);
  const sink = readSinkSettings(settingsEnv);
  const signIn = readSignInSettings(settingsEnv);
  const unsigned = crews.ok && signIn.ok ? signInProblems(signIn.value, crews.value) : [];
  if (settings.success && mode.ok && crews.ok && sink.ok && signIn.ok && unsigned.length === 0) {
    const others = { mode: mode.value, crews: crews.value, sink: sink.value, signIn: signIn.value };
    return ok(assemble(settings.data, others));
  }
  return refuse([
    ...(settings.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}.`),
    ...[mode, crews, sink, signIn].flatMap((read) => (read.ok ? [] : read.refusal)),
    ...unsigned,
  ]);
}

function assemble(
  settings: Settings,
  others: { mode: SlackMode; crews: Crews; sink: SinkSettings | null; signIn: SignInSettings | null },
): Config {
  const { mode, crews, sink, signIn } = others;
  return {
    port: settings.PORT,
    publicUrl: settings.PUBLIC_URL,
    slack: { botToken: settings.SLACK_BOT_TOKEN, apiUrl: settings.SLACK_API_URL, mode, command: settings.COMMAND },
    redis: { url: settings.REDIS_URL, minReplicas: settings.REDIS_MIN_REPLICAS },
    secrets: settings.APP_SECRET,
    crews: crews.crews,
    policyPlaces: crews.places,
    logLevel: settings.LOG_LEVEL,
    retentionDays: settings.RETENTION_DAYS,
    keepTexts: settings.KEEP_TEXTS,
    mask: settings.MASK,
    webhookAuth: settings.WEBHOOK_AUTH,
    audit: { days: settings.AUDIT_DAYS, log: settings.AUDIT_LOG, channel: settings.AUDIT_CHANNEL ?? null, sink },
    signIn,
  };
}
