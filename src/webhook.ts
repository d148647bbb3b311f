import { readWebhookSettings } from './config/webhook-settings.ts';
import { type AuthStrategy, type Credentials, createCredentials, crewAddress } from './crew/credentials.ts';

/** `npm run webhook -- <crew>`: what to paste into kickoffs of a crew that are made elsewhere. */
function answer(env: NodeJS.ProcessEnv, [name]: string[]): { text: string; isError: boolean } {
  const settings = readWebhookSettings(env);
  if (!settings.ok) return { text: ['The settings are incomplete:', ...settings.refusal].join('\n- '), isError: true };
  const { crews, publicUrl, secrets, webhookAuth } = settings.value;
  const crew = crews.length === 1 && name === undefined ? crews[0] : crews.find((each) => each.name === name);
  if (crew) {
    const credentials = createCredentials(secrets);
    const text = webhookAddress(crew.name, { publicUrl, credentials, webhookAuth });
    return { text: crew.channel === null ? `${text}\n${NO_CHANNEL}\n` : text, isError: false };
  }
  const names = crews.map((each) => each.name).join(', ');
  return { text: `Usage: npm run webhook -- <crew>\nThe crews are: ${names}`, isError: true };
}

const NO_CHANNEL =
  'This crew has no channel yet. Until it has one (CREW_CHANNEL, or `channel` in the crews file), its requests are refused.';

const { text, isError } = answer(process.env, process.argv.slice(2));
(isError ? console.error : console.log)(text);
process.exitCode = isError ? 1 : 0;

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
