import { deflateRawSync } from 'node:zlib';
import { doubtful, type Finding, fine } from './finding.ts';

/** Random characters hardly ever repeat, run in sequence or compress beyond these thresholds. */
const LEAST_DIFFERENT = 7;
const MOST_IN_SEQUENCE = 0.4;
const LEAST_COMPRESSED = 0.65;

function looksRandom(secret: string): boolean {
  const codes = Array.from(secret, (character) => character.codePointAt(0) ?? 0);
  const inSequence = codes.filter((code, index) => code - (codes[index - 1] ?? code) === 1).length;
  if (new Set(secret).size < LEAST_DIFFERENT || inSequence > MOST_IN_SEQUENCE * codes.length) return false;
  return deflateRawSync(secret).length > LEAST_COMPRESSED * secret.length;
}

/** Checks APP_SECRET without revealing it. */
export function checkSecrets([newest, ...older]: readonly [string, ...string[]]): Finding {
  const about = 'Credentials';
  if (!looksRandom(newest))
    return doubtful(about, "APP_SECRET doesn't look random.", 'Generate one with `openssl rand -hex 32`.');
  if (older.length === 0) return fine(about, `APP_SECRET looks random, and has ${newest.length} characters.`);
  return doubtful(
    about,
    `APP_SECRET is being changed: ${older.length} older one${older.length === 1 ? ' is' : 's are'} still accepted.`,
    'Remove what follows the comma once the runs that started under it have ended.',
  );
}
