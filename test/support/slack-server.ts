import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Json } from '../../src/core/values/json.ts';
import type { StoredMessage } from '../../src/sandbox/slack-workspace/state/workspace-state.ts';

/** A request to `POST /slack/events`: signed and stamped as Slack does it, where nothing else is said. */
export interface SlackPost {
  port: number;
  secret: string;
  body: string | Buffer;
  contentType?: string;
  /** Seconds since 1970, by which it is signed. */
  stamp?: number;
  /** Instead of the signature and the stamp that belong to it; null leaves both out. */
  proof?: OutgoingHttpHeaders | null;
  agent?: Agent;
}

export interface Answered {
  status: number;
  text: string;
}

const FORM = 'application/x-www-form-urlencoded';

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function proofOf({ secret, body, stamp = nowS() }: Pick<SlackPost, 'secret' | 'body' | 'stamp'>) {
  const mac = createHmac('sha256', secret).update(`v0:${stamp}:`).update(body).digest('hex');
  return { 'x-slack-request-timestamp': String(stamp), 'x-slack-signature': `v0=${mac}` };
}

export function nowS(): number {
  return Math.floor(Date.now() / 1000);
}

/** Rejects where the connection breaks before an answer came. */
export async function askSlackServer(post: SlackPost): Promise<Answered> {
  const { port, body, contentType = FORM, proof = proofOf(post), agent } = post;
  const asked = request({
    ...{ port, host: '127.0.0.1', method: 'POST', path: '/slack/events', agent },
    headers: { 'content-type': contentType, 'content-length': Buffer.byteLength(body), ...proof },
  });
  asked.end(body);
  const [response] = await once(asked, 'response');
  return { status: response.statusCode, text: await text(response) };
}

/** A form with its one field, as Slack sends interactions. */
export function payloadForm(payload: Json): string {
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

export const TEAM = 'T0SANDBOX1';

export interface ClickedElement {
  actionId: string;
  value: string;
}

/** A click on an element of a message. https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export function clickPayload(
  { actionId, value }: ClickedElement,
  { by, team = TEAM, message }: { by: string; team?: string | null; message: Pick<StoredMessage, 'channel' | 'ts'> },
): Json {
  return {
    type: 'block_actions',
    team: { id: TEAM, domain: 'sandbox' },
    user: { id: by, name: by.toLowerCase(), ...(team !== null && { team_id: team }) },
    trigger_id: `1.2.${by}`,
    channel: { id: message.channel, name: 'channel' },
    message: { ts: message.ts },
    container: { type: 'message', channel_id: message.channel, message_ts: message.ts },
    actions: [{ type: 'button', action_id: actionId, block_id: 'b', value, action_ts: '1.0' }],
  };
}

/** The submission of a modal. https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export function submissionPayload(
  { callbackId, metadata, values }: { callbackId: string; metadata: string; values: Json },
  { by, team = TEAM }: { by: string; team?: string },
): Json {
  return {
    type: 'view_submission',
    team: { id: TEAM, domain: 'sandbox' },
    user: { id: by, name: by.toLowerCase(), team_id: team },
    trigger_id: `1.2.${by}`,
    view: {
      ...{ id: 'V0FORGED', type: 'modal', hash: '1.x', callback_id: callbackId, private_metadata: metadata },
      state: { values },
    },
  };
}

/** All buttons with this label among these messages, in their order; all there are where the label is empty. */
export function buttonsIn(
  messages: readonly StoredMessage[],
  label: string,
): (ClickedElement & { message: StoredMessage })[] {
  return messages.flatMap((message) =>
    message.blocks
      .flatMap(({ elements, accessory }) => (Array.isArray(elements) ? elements : [accessory]))
      .flatMap((element) => pressable(element, label))
      .map((element) => ({ ...element, message })),
  );
}

function pressable(element: unknown, label: string): ClickedElement[] {
  if (typeof element !== 'object' || element === null || !('action_id' in element)) return [];
  const said = JSON.stringify('text' in element ? element.text : null);
  if (label !== '' && !said.includes(JSON.stringify(label))) return [];
  return [{ actionId: String(element.action_id), value: 'value' in element ? String(element.value) : '' }];
}
