import { ok, type Result, refuse } from '../../core/result.ts';
import { type FormValues, typedText } from '../ui/form-values.ts';
import { TOKEN_BLOCK } from './connect-modal.ts';

/** So that what a service quotes of a token can be recognised and left out wherever its answers are shown. */
const SHORTEST = 8;

/** The token as it belongs into the `Authorization` header, or what is wrong with it. */
export function readToken(values: FormValues): Result<string, 'bad-character' | 'too-short'> {
  const token = typedText(values, TOKEN_BLOCK)
    .trim()
    .replace(/^bearer\s+/i, '');
  if (!/^[\x21-\x7e]*$/.test(token)) return refuse('bad-character');
  return token.length < SHORTEST ? refuse('too-short') : ok(token);
}
