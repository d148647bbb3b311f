import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Environment, withoutBlanks } from './environment.ts';

/** Without these nothing starts. */
const REQUIRED = ['PUBLIC_URL', 'SLACK_BOT_TOKEN', 'REDIS_URL', 'APP_SECRET'];

/** What to do first in a checkout in which nobody has set anything; null where somebody has, and in an image. */
export function whereToBegin(env: Environment, checkout: URL): string | null {
  const given = withoutBlanks(env);
  const has = (file: string) => existsSync(new URL(file, checkout));
  if (REQUIRED.every((name) => given[name] !== undefined) || has('.env') || !has('.env.example')) return null;
  return `There is no .env in ${fileURLToPath(checkout)}: copy .env.example to .env, and fill it in.`;
}
