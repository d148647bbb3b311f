import type { CrewRefusal } from '../../core/approval/approval.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Say } from '../language/say.ts';
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
export function connectionSentence(
  say: Say,
  connection: Exclude<Connection, { kind: 'connected' }>,
  crewName: string,
): string {
  const crew = cutLine(crewName, 80);
  switch (connection.kind) {
    case 'refused':
      return say(connection.code === 'unauthorized' ? 'token.not-accepted' : 'token.unclear', { crew });
    case 'unreachable':
      return say('token.crew-unreachable', { crew });
    case 'not-stored':
      return say('token.not-stored');
  }
}
