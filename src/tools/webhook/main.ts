import { type Authentication, createCredentials } from '../../crew/credentials.ts';
import { signingKeys } from '../../crew/signature.ts';
import { parseOptions, readCommandLine, UsageError } from '../../setup/usage.mjs';
import { asksAddress, crewAddress, flowAddress, secretCrewAddress } from './addresses.ts';
import { readWebhookSettings } from './settings.ts';

const NO_CHANNEL =
  'This crew has no channel yet. Until it has one (CREW_CHANNEL, or `channel` in the crews file), its requests are refused.';

const crewName = readCommandLine('dist/webhook.js', (args) => {
  const [name, ...others] = parseOptions(args, {}, 'words').positionals;
  if (others.length > 0) throw new UsageError('Give the name of one crew.');
  return name;
});
const { text, isError } = answer(process.env, crewName);
(isError ? console.error : console.log)(text);
process.exitCode = isError ? 1 : 0;

/**
 * Answers `npm run webhook -- <crew>`: what to paste into kickoffs that are made elsewhere, or into the control panel of a crew's
 * flows, so that their requests arrive here.
 */
function answer(env: NodeJS.ProcessEnv, name: string | undefined): { text: string; isError: boolean } {
  const settings = readWebhookSettings(env);
  if (!settings.ok) return { text: ['The settings are incomplete:', ...settings.refusal].join('\n- '), isError: true };
  const { crews, publicUrl, secrets, webhookAuth } = settings.value;
  const crew = crews.length === 1 && name === undefined ? crews[0] : crews.find((each) => each.name === name);
  if (!crew) {
    const names = crews.map((each) => each.name).join(', ');
    const problem = name === undefined ? 'Give the name of a crew.' : `There is no crew ${name}.`;
    return { text: `${problem} The crews are: ${names}`, isError: true };
  }
  const credentials = createCredentials(secrets);
  const text = webhookText(crew.name, {
    url: crewAddress(publicUrl, crew.name),
    authentication: credentials.ofCrew(crew.name, webhookAuth),
    secretUrl: secretCrewAddress(publicUrl, crew.name, credentials),
    flowUrl: flowAddress(publicUrl, crew.name),
    asks: {
      url: asksAddress(publicUrl),
      token: credentials.askToken(crew.name),
      key: signingKeys(secrets, { purpose: 'callback', crew: crew.name })[0] ?? '',
    },
  });
  return { text: crew.channel === null ? `${text}\n${NO_CHANNEL}\n` : text, isError: false };
}

interface CrewWebhook {
  url: string;
  authentication: Authentication;
  /** Address for kickoffs that take no credentials. */
  secretUrl: string;
  /** Address for flows. */
  flowUrl: string;
  /** Access for programs that ask by the rules of the crew. */
  asks: { url: string; token: string; key: string };
}

function webhookText(crew: string, { url, authentication, secretUrl, flowUrl, asks }: CrewWebhook): string {
  const credentials =
    authentication.strategy === 'bearer'
      ? [`Token:     ${authentication.token}`]
      : [`Username:  ${authentication.username}`, `Password:  ${authentication.password}`];
  return [
    `Human-input webhook for crew ${crew}`,
    '',
    `Address:   ${url}`,
    `Strategy:  ${authentication.strategy}`,
    ...credentials,
    '',
    'In the body of the kickoff:',
    '',
    JSON.stringify({ humanInputWebhook: { url, authentication } }, null, 2),
    '',
    'Or, where the kickoff takes only an address, as deployed services do:',
    '',
    JSON.stringify({ humanInputWebhookUrl: secretUrl }, null, 2),
    '',
    'For the webhook of its flows, in their control panel, whose secret is flow_secret in the crews file:',
    '',
    flowUrl,
    '',
    'For programs that ask people by the rules of this crew (docs/asks.md):',
    '',
    `Address:   ${asks.url}`,
    `Token:     ${asks.token}`,
    `Key:       ${asks.key} (verifies what is sent to their callbacks)`,
    '',
    'Keep all of this secret: anyone who has it can ask for human input in the name of this crew.',
    '',
  ].join('\n');
}
