import { parseJson } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { WireEntry } from '../wire-entry.ts';
import { ackLimitOf, type Delivered, type Outgoing } from './transport.ts';

const KEPT_FOR_REDELIVERY = 200;

/** Delivers something to the app and logs it on the wire. Never rejects. */
export async function deliver(workspace: Workspace, outgoing: Outgoing): Promise<Delivered> {
  workspace.delivered.push(outgoing);
  if (workspace.delivered.length > KEPT_FOR_REDELIVERY) workspace.delivered.shift();
  const at = workspace.now();
  const delivered = takes(workspace, outgoing) ? await workspace.transport.deliver(outgoing) : NOT_CONFIGURED;
  workspace.wire.add({
    at,
    direction: 'to-app',
    transport: workspace.app.delivery.mode,
    name: outgoing.name,
    request: outgoing.payload,
    tookMs: workspace.now() - at,
    ...(delivered.ok ? answerOf(delivered.body) : failureOf(outgoing, delivered)),
  });
  return delivered;
}

const NOT_CONFIGURED: Delivered = { ok: false, reason: 'not_configured' };

/** https://docs.slack.dev/interactivity/handling-user-interaction#setup */
function takes({ app }: Workspace, { kind }: Outgoing): boolean {
  return kind !== 'interactive' || app.interactivity === 'on';
}

function answerOf(body: string): Pick<WireEntry, 'outcome' | 'broken' | 'response'> {
  return { outcome: 'ok', broken: [], ...(body !== '' && { response: parseJson(body) ?? body }) };
}

function failureOf(
  outgoing: Outgoing,
  failed: Extract<Delivered, { ok: false }>,
): Pick<WireEntry, 'outcome' | 'broken' | 'error' | 'status'> {
  const { reason, status } = failed;
  return {
    outcome: OUTCOMES[reason],
    error: reason,
    broken: [{ code: reason, detail: details(outgoing, failed), documentation: ACK_DOCS[outgoing.kind] }],
    ...(status !== undefined && { status }),
  };
}

const OUTCOMES = {
  http_error: 'error',
  timeout: 'timeout',
  dropped: 'dropped',
  unreachable: 'unreachable',
  not_configured: 'unreachable',
} as const;

const INTERACTION_DOCS = 'https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response';
const ACK_DOCS = {
  slash_commands: INTERACTION_DOCS,
  interactive: INTERACTION_DOCS,
  events_api: 'https://docs.slack.dev/apis/events-api#responding',
};

function details(outgoing: Outgoing, { reason, status }: Extract<Delivered, { ok: false }>): string {
  switch (reason) {
    case 'timeout':
      return `The app did not acknowledge within ${ackLimitOf(outgoing) / 1_000} seconds.`;
    case 'unreachable':
      return 'The app could not be reached.';
    case 'http_error':
      return `The app answered ${status}; Slack expects 200.`;
    case 'dropped':
      return 'The connection closed before the app acknowledged.';
    case 'not_configured':
      return 'The app has interactivity turned off, so that nothing was sent.';
  }
}

/** Redelivers the latest delivery with this name, unchanged, as Slack sometimes does. Undefined if there was none. */
export async function deliverAgain(workspace: Workspace, name: string): Promise<Delivered | undefined> {
  const last = workspace.delivered.findLast((outgoing) => outgoing.name === name);
  return last && deliver(workspace, last);
}
