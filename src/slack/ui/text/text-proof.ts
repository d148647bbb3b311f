import type { Millis } from '../../../core/time.ts';
import type { Say } from '../../language/say.ts';
import { slackDate } from './moment.ts';

const SHA256 = /^[0-9a-f]{64}$/;

/** What proves which text was asked about once it is no longer stored: the ledger has the same hash. mrkdwn. */
export function textProof({ hash, goneAt }: { hash: string; goneAt: Millis | null }, say: Say): string {
  const proof = SHA256.test(hash) ? say('text.proof', { hash }) : '';
  const said =
    goneAt === null ? say('text.gone', { proof }) : say('text.kept-until', { proof, at: slackDate(goneAt, say) });
  return said.trim();
}
