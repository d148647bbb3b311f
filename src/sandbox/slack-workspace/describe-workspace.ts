import { isSent } from './runtime/bot-events.ts';
import type { AppSettings } from './runtime/installed-app.ts';
import type { SlackWorkspace } from './start-slack-workspace.ts';

type Described = Pick<AppSettings, 'name' | 'delivery' | 'events'>;
type Addresses = Pick<SlackWorkspace, 'apiUrl' | 'pageUrl' | 'botToken' | 'appToken' | 'signingSecret'>;

/** What a developer needs to point an app at the workspace. */
export function describeWorkspace(app: Described, slack: Addresses, folder: string | undefined): string {
  const unsent = app.events.filter((event) => !isSent(event));
  return [
    `${app.name} is installed in a Slack workspace on this machine. Ctrl-C stops it.`,
    folder === undefined
      ? 'Everything in it is gone then; --folder FOLDER keeps it.'
      : `Everything stays in ${folder}.`,
    ...(unsent.length > 0 ? [`Events that it never sends: ${unsent.join(', ')}.`] : []),
    '',
    `Page            ${slack.pageUrl}`,
    `API             ${slack.apiUrl}`,
    `Bot token       ${slack.botToken}`,
    `App token       ${slack.appToken}`,
    `Signing secret  ${slack.signingSecret}`,
    ...destinations(app.delivery),
    '',
    'Point Bolt at it:',
    '',
    ...boltApp(app.delivery.mode, slack),
  ].join('\n');
}

function destinations(delivery: AppSettings['delivery']): string[] {
  if (delivery.mode === 'socket') return ['Delivers over   Socket Mode'];
  const { requestUrl, urls = {} } = delivery;
  const known = requestUrl === undefined ? Object.values(urls) : [requestUrl];
  return [`Delivers to     ${[...new Set(known)].join(', ') || 'nowhere: see --socket and --request-url'}`];
}

function boltApp(mode: 'http' | 'socket', { botToken, appToken, signingSecret, apiUrl }: Addresses): string[] {
  return [
    '  const app = new App({',
    `    token: '${botToken}',`,
    ...(mode === 'socket'
      ? ['    socketMode: true,', `    appToken: '${appToken}',`]
      : [`    signingSecret: '${signingSecret}',`]),
    `    clientOptions: { slackApiUrl: '${apiUrl}' },`,
    '  });',
  ];
}
