import { deflateRawSync } from 'node:zlib';
import { doubtful, type Finding, fine } from './finding.ts';

/** Random characters hardly ever repeat so much, follow each other like this, or can be packed so well. */
const FEW_DIFFERENT = 7;
const MANY_IN_ORDER = 0.4;
const EASILY_PACKED = 0.65;

function looksRandom(secret: string): boolean {
  const codes = Array.from(secret, (character) => character.codePointAt(0) ?? 0);
  const inOrder = codes.filter((code, index) => code - (codes[index - 1] ?? code) === 1).length;
  if (new Set(secret).size < FEW_DIFFERENT || inOrder > MANY_IN_ORDER * codes.length) return false;
  return deflateRawSync(secret).length > EASILY_PACKED * secret.length;
}

/** What can be said of APP_SECRET without saying it. */
export function checkSecrets([newest, ...older]: readonly [string, ...string[]]): Finding {
  const about = 'Credentials';
  if (!looksRandom(newest))
    return doubtful(about, 'APP_SECRET does not look random.', 'Make one with `openssl rand -hex 32`.');
  if (older.length === 0) return fine(about, `APP_SECRET has ${newest.length} characters.`);
  return doubtful(
    about,
    `APP_SECRET is being changed: ${older.length} older one${older.length === 1 ? ' is' : 's are'} still accepted.`,
    'Leave out what stands behind the comma when the executions that began under it have ended.',
  );
}
