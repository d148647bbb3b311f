/** How a request of Slack was answered. */
export type RequestOutcome = 'acknowledged' | 'unanswered' | 'failed' | 'late';

/** Hears of each request of Slack as soon as it is here as a whole; what it gives hears once how that was answered. */
export type ObserveRequest = (kind: RequestKind) => (outcome: RequestOutcome) => void;

const INTERACTIONS = [
  'block_actions',
  'view_submission',
  'view_closed',
  'block_suggestion',
  'shortcut',
  'message_action',
] as const;

export type RequestKind = (typeof INTERACTIONS)[number] | 'command' | 'event' | 'other';

/** What somebody did in Slack, by the body that tells of it. https://docs.slack.dev/reference/interaction-payloads */
export function requestKind({ type, command }: Record<string, unknown>): RequestKind {
  if (typeof command === 'string') return 'command';
  if (type === 'event_callback') return 'event';
  return INTERACTIONS.find((each) => each === type) ?? 'other';
}
