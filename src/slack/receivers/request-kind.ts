/** How a request from Slack was answered. */
export type RequestOutcome = 'acknowledged' | 'unanswered' | 'failed' | 'late';

/** Called for each request from Slack once it has fully arrived; the function it returns is called once, with the outcome. */
export type ObserveRequest = (kind: RequestKind) => (outcome: RequestOutcome) => void;

const INTERACTIONS = [
  'block_actions',
  'view_submission',
  'view_closed',
  'block_suggestion',
  'shortcut',
  'message_action',
] as const;

export type KnownKind = (typeof INTERACTIONS)[number] | 'command' | 'event';
export type RequestKind = KnownKind | 'other';

/** The kind of a request by its body. https://docs.slack.dev/reference/interaction-payloads */
export function requestKind({ type, command }: Record<string, unknown>): RequestKind {
  if (typeof command === 'string') return 'command';
  if (type === 'event_callback') return 'event';
  return INTERACTIONS.find((each) => each === type) ?? 'other';
}
