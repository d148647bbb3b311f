import type { z } from 'zod';
import { EVENT_TYPES } from './event-types.ts';
import { MANIFEST, type Manifest } from './manifest-schema.ts';

/** Where a manifest is wrong, as a JSON pointer, and why. */
type ManifestProblem = { pointer: string; message: string };

/** A manifest that Slack would refuse, with every reason. */
export class ManifestError extends Error {
  readonly problems: readonly ManifestProblem[];

  constructor(problems: readonly ManifestProblem[]) {
    const lines = problems.map(({ pointer, message }) => `  ${pointer || '/'}: ${message}`);
    super(['Slack would refuse this manifest:', ...lines].join('\n'));
    this.problems = problems;
  }
}

/** How the app is reached is said by the manifest, or where the workspace is started. */
export type ReachedBy = 'manifest' | 'elsewhere';

/** Throws `ManifestError` where Slack would answer `invalid_manifest`. https://docs.slack.dev/reference/methods/apps.manifest.validate */
export function checkManifest(manifest: unknown, reachedBy: ReachedBy): Manifest {
  const parsed = MANIFEST.safeParse(manifest);
  if (!parsed.success) throw new ManifestError(parsed.error.issues.flatMap(problemsOf));
  const { data } = parsed;
  const problems = [
    ...(reachedBy === 'manifest' ? unreachable(data) : []),
    ...unknownEvents(data),
    ...unlistedOptionalScopes(data),
  ];
  if (problems.length > 0) throw new ManifestError(problems);
  return data;
}

function problemsOf(issue: z.core.$ZodIssue): ManifestProblem[] {
  const pointer = issue.path.map((part) => `/${String(part)}`).join('');
  if (issue.code !== 'unrecognized_keys') return [{ pointer, message: issue.message }];
  return issue.keys.map((key) => ({ pointer: `${pointer}/${key}`, message: 'there is no such field in a manifest' }));
}

/** In the words of https://docs.slack.dev/reference/methods/apps.manifest.validate */
function unreachable({ settings }: Manifest): ManifestProblem[] {
  if (settings.socket_mode_enabled === true) return [];
  const { event_subscriptions: events, interactivity } = settings;
  const problems: ManifestProblem[] = [];
  if (events && events.request_url === undefined)
    problems.push({
      pointer: '/settings/event_subscriptions',
      message: 'Event Subscription requires either Request URL or Socket Mode Enabled',
    });
  if (interactivity?.is_enabled && interactivity.request_url === undefined)
    problems.push({ pointer: '/settings/interactivity', message: 'Interactivity requires a Request URL' });
  return problems;
}

/** In the words of https://github.com/gugu91/pinet/pull/358 */
function unknownEvents({ settings }: Manifest): ManifestProblem[] {
  return (settings.event_subscriptions?.bot_events ?? []).flatMap((event, index) =>
    EVENT_TYPES.has(event)
      ? []
      : [{ pointer: `/settings/event_subscriptions/bot_events/${index}`, message: `invalid event type: ${event}` }],
  );
}

/** https://docs.slack.dev/reference/app-manifest#oauth */
function unlistedOptionalScopes({ oauth_config }: Manifest): ManifestProblem[] {
  const { bot = [], bot_optional = [] } = oauth_config.scopes;
  return bot_optional.flatMap((scope, index) =>
    bot.includes(scope)
      ? []
      : [
          {
            pointer: `/oauth_config/scopes/bot_optional/${index}`,
            message: `${scope} must also be listed in oauth_config.scopes.bot`,
          },
        ],
  );
}
