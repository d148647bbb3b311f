import { z } from 'zod';
import { CREW_NAME } from '../../config/crew-settings.ts';
import { type Environment, SETTINGS, withoutBlanks } from '../../config/environment.ts';
import { CHANNEL } from '../../config/fields.ts';
import { nameOfFile, readText, readYaml, substitute } from '../../config/yaml-file.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';

/** Settings from which the address and the credentials of a crew's webhook are made. */
interface WebhookSettings {
  publicUrl: string;
  secrets: [string, ...string[]];
  webhookAuth: 'bearer' | 'basic';
  crews: NamedCrew[];
}

const USED = SETTINGS.pick({ PUBLIC_URL: true, APP_SECRET: true, WEBHOOK_AUTH: true });

/** Reads only these settings, so that others may be missing. Otherwise like `readConfig`. */
export function readWebhookSettings(env: Environment): Result<WebhookSettings, string[]> {
  const variables = withoutBlanks(env);
  const settings = USED.safeParse(variables);
  const crews = readNamedCrews(variables);
  if (settings.success && crews.ok) {
    const { PUBLIC_URL: publicUrl, APP_SECRET: secrets, WEBHOOK_AUTH: webhookAuth } = settings.data;
    return ok({ publicUrl, secrets, webhookAuth, crews: crews.value });
  }
  return refuse([
    ...(settings.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}.`),
    ...(crews.ok ? [] : crews.refusal),
  ]);
}

/** The part of a crew that matters for executions started elsewhere. */
interface NamedCrew {
  name: string;
  channel: string | null;
}

const NAMED_CREW = z
  .object({ name: CREW_NAME, channel: CHANNEL.nullish() }, 'must be a map: name, base_url, token')
  .transform(({ name, channel }): NamedCrew => ({ name, channel: channel ?? null }));

const NAMED_CREWS = z.object({ crews: z.array(NAMED_CREW, 'is missing: the list of crews') }, 'must start with crews:');

/** Reads the names and channels of all crews, whether or not their other settings are complete. */
function readNamedCrews(env: Environment): Result<NamedCrew[], string[]> {
  if (env.CREWS_FILE !== undefined) return readFile(env.CREWS_FILE, env);
  const crew = NAMED_CREW.safeParse({ name: env.CREW_NAME, channel: env.CREW_CHANNEL });
  if (crew.success) return ok([crew.data]);
  return refuse(crew.error.issues.map(({ path, message }) => `CREW_${String(path[0]).toUpperCase()} ${message}.`));
}

function readFile(path: string, env: Environment): Result<NamedCrew[], string[]> {
  const text = readText(path);
  const name = nameOfFile(path);
  if (!text.ok) return refuse([`${name} can't be read: ${text.refusal}.`]);
  const file = readYaml(text.value);
  if (!file.ok) return refuse(file.refusal.map((problem) => `${name}, ${problem}.`));
  const { content, remark } = file.value;
  const { known, missing } = substitute(content, env);
  const crews = NAMED_CREWS.safeParse(known);
  if (crews.success) return ok(crews.data.crews);
  const sentences = crews.error.issues.map(({ path: at, message }) => {
    const unset = missing.find((each) => each.path.join('.') === at.join('.'));
    return remark(at, unset === undefined ? message : `names the variable ${unset.name}, which isn't set`).sentence;
  });
  return refuse(sentences.map((sentence) => `${name}, ${sentence}.`));
}
