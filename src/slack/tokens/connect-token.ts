import type { CrewRefusal } from '../../core/approval/approval.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { cutLine } from '../ui/text/cut.ts';

/** How connecting a token went; only `connected` has stored it. */
export type Connection =
  | { kind: 'connected' }
  | { kind: 'refused'; code: CrewRefusal }
  | { kind: 'unreachable' }
  | { kind: 'not-stored' };

interface Wanted {
  crew: string;
  personId: string;
  token: string;
}

/** Asks the crew whether it accepts the token, and stores it if so. Never throws. */
export async function connectToken(
  { tokenCheck, userTokens, log }: Pick<ListenerContext, 'tokenCheck' | 'userTokens' | 'log'>,
  { crew, personId, token }: Wanted,
): Promise<Connection> {
  const answer = await tokenCheck.checkToken(crew, token);
  if (answer.kind !== 'accepted') {
    log.info({ crew, by: personId, answer: answer.kind }, 'did not connect a token');
    return answer;
  }
  try {
    await userTokens.put(crew, personId, token);
  } catch (error) {
    log.warn({ crew, by: personId, err: error }, 'could not store a token');
    return { kind: 'not-stored' };
  }
  log.info({ crew, by: personId }, 'connected a token');
  return { kind: 'connected' };
}

/** Why a token was not connected; plain text. */
export function connectionSentence(connection: Exclude<Connection, { kind: 'connected' }>, crew: string): string {
  const name = cutLine(crew, 80);
  switch (connection.kind) {
    case 'refused':
      return connection.code === 'unauthorized'
        ? `${name} doesn’t accept this token, so it was not stored. Please copy it again.`
        : `${name} didn’t say whether it accepts this token, so it was not stored. Please try again; if that doesn’t help, ask whoever runs the crew.`;
    case 'unreachable':
      return `${name} can’t be reached right now to check this token, so it was not stored. Please try again in a few minutes.`;
    case 'not-stored':
      return 'Signoff can’t store anything right now, so this token was not stored. Please try again in a minute.';
  }
}
