import type { Crew } from '../../core/crew.ts';
import type { OnBehalf } from '../../core/ports.ts';
import { type ChosenToken, chooseToken } from './choose-token.ts';
import type { Verdict } from './verdict.ts';

/** Sends a call with the token of the person whom it is for, if they have one. What it refuses isn't sent another way. */
export async function sendAs(
  ports: Parameters<typeof chooseToken>[0],
  { crew, as }: { crew: Crew; as: OnBehalf | null },
  send: (token: string) => Promise<Verdict>,
): Promise<Verdict> {
  const chosen = await chooseToken(ports, crew, as);
  switch (chosen.kind) {
    case 'crew':
    case 'person':
      return ofChosen(chosen, await send(chosen.token));
    case 'missing':
      return NO_TOKEN;
    case 'unavailable':
      return { kind: 'unavailable', waitMs: null };
  }
}

const NOTHING_SAID = { detail: '', missingInputs: [], missingFields: [], isQuota: false };
const NO_TOKEN: Verdict = { kind: 'refused', status: 0, code: 'no-user-token', error: NOTHING_SAID };

function ofChosen({ kind }: ChosenToken, verdict: Verdict): Verdict {
  const isTheirs = kind === 'person' && verdict.kind === 'refused' && verdict.code === 'unauthorized';
  return isTheirs ? { ...verdict, code: 'user-token-refused' } : verdict;
}
