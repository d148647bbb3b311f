import { crewAddress } from './addresses.ts';
import type { AuthStrategy, Credentials } from './credentials.ts';

/** What to paste wherever else executions of this crew are started, so that their requests arrive here. */
export function webhookAddress(
  crew: string,
  { publicUrl, credentials, webhookAuth }: { publicUrl: string; credentials: Credentials; webhookAuth: AuthStrategy },
): string {
  const url = crewAddress(publicUrl, crew);
  const authentication = credentials.ofCrew(crew, webhookAuth);
  const shown =
    authentication.strategy === 'bearer'
      ? [`Token:     ${authentication.token}`]
      : [`Username:  ${authentication.username}`, `Password:  ${authentication.password}`];
  return [
    `Human-input webhook for crew ${crew}`,
    '',
    `Address:   ${url}`,
    `Strategy:  ${authentication.strategy}`,
    ...shown,
    '',
    'In the body of the kickoff:',
    '',
    JSON.stringify({ humanInputWebhook: { url, authentication } }, null, 2),
    '',
    'Keep it secret: anyone who has it can ask for human input in the name of this crew.',
    '',
  ].join('\n');
}
