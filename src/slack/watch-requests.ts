/** One request of Slack, for metrics. */
export interface ObservedRequest {
  kind: RequestKind;
  outcome: 'acknowledged' | 'unanswered' | 'failed' | 'late';
  /** From when it was here as a whole to our answer. */
  durationMs: number;
}

export type ObserveRequest = (request: ObservedRequest) => void;

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
