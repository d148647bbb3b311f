import type { Result } from '../core/result.ts';
import { ok, refuse } from '../core/result.ts';
import { type Environment, withoutBlanks } from './environment.ts';
import { type NamedCrew, readNamedCrews } from './named-crews.ts';
import { SETTINGS } from './settings.ts';

/** What the address and the credentials of a crew's webhook are made of. */
interface WebhookSettings {
  publicUrl: string;
  secrets: [string, ...string[]];
  webhookAuth: 'bearer' | 'basic';
  crews: NamedCrew[];
}

const USED = SETTINGS.pick({ PUBLIC_URL: true, APP_SECRET: true, WEBHOOK_AUTH: true });

/** Reads only these settings, so that the others may be missing. Otherwise as `readConfig`. */
export function readWebhookSettings(env: Environment): Result<WebhookSettings, string[]> {
  const given = withoutBlanks(env);
  const settings = USED.safeParse(given);
  const crews = readNamedCrews(given);
  if (settings.success && crews.ok) {
    const { PUBLIC_URL: publicUrl, APP_SECRET: secrets, WEBHOOK_AUTH: webhookAuth } = settings.data;
    return ok({ publicUrl, secrets, webhookAuth, crews: crews.value });
  }
  return refuse([
    ...(settings.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}.`),
    ...(crews.ok ? [] : crews.refusal),
  ]);
}
