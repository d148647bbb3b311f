import { doubtful, type Finding, fine } from './finding.ts';

/** Random characters hardly ever repeat so much. */
const FEW_DIFFERENT = 10;

/** What can be said of APP_SECRET without saying it. */
export function checkSecrets([newest, ...older]: readonly [string, ...string[]]): Finding {
  const about = 'Credentials';
  if (new Set(newest).size < FEW_DIFFERENT)
    return doubtful(about, 'APP_SECRET does not look random.', 'Make one with `openssl rand -hex 32`.');
  if (older.length === 0) return fine(about, `APP_SECRET has ${newest.length} characters.`);
  return doubtful(
    about,
    `APP_SECRET is being changed: ${older.length} older one${older.length === 1 ? ' is' : 's are'} still accepted.`,
    'Leave out what stands behind the comma when the executions that began under it have ended.',
  );
}
