import type { RunSummary } from '../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import type { RecordedRequest, RecordedWebhook } from '../../src/sandbox/crew-service/sandbox-api/records.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { isObject, type JsonObject, objectAt, parseJson, stringAt } from '../../src/sandbox/slack-workspace/json.ts';
import type { StoredMessage } from '../../src/sandbox/slack-workspace/state/workspace-state.ts';
import type { Chain } from './chains.ts';
import type { FaultWorld } from './fault-world.ts';

/** What Slack and the crew service recorded, and the ledger, at one moment. The bot itself is never asked. */
export interface Evidence {
  /** All messages but ephemeral ones. */
  messages: Posted[];
  /** Messages that members deleted, as they were then. */
  deleted: Posted[];
  /** The kickoffs and resumes that the crews received. */
  orders: Order[];
  runs: readonly RunSummary[];
  /** Each attempt of the service to notify the bot. */
  notifications: readonly RecordedWebhook[];
  /** The ledger's, of the executions that are looked at. */
  chains: readonly Chain[];
  messagesAre: 'told of' | 'not told of';
}

/** A message as people see it, with its metadata. */
export interface Posted {
  channel: string;
  ts: string;
  /** Of a reply: its first message. */
  threadTs: string | undefined;
  text: string;
  ref: string | undefined;
  key: string | undefined;
  /** The ids of the members whom it notifies. */
  notifies: readonly string[];
}

/** A kickoff or a resume. */
export interface Order {
  crew: string;
  route: string;
  /** The execution's ref. */
  ref: string;
  body: JsonObject;
  /** False only if the service said so or could not be reached. */
  mayHaveArrived: boolean;
  wasApplied: boolean;
}

/** @param roots tell the first messages of the threads whose executions are looked up in the ledger */
export async function gatherEvidence(
  world: FaultWorld,
  roots: readonly { isRoot: (message: Posted) => boolean }[],
): Promise<Evidence> {
  const { messagesAre } = world;
  const { sandbox } = world.crews;
  const requests = await sandbox.requests();
  const messages = postedIn(world);
  const refs = messages.filter((each) => roots.some(({ isRoot }) => isRoot(each))).flatMap(({ ref }) => ref ?? []);
  return {
    messages,
    deleted: world.deleted.map(readMessage),
    orders: requests.filter(({ method }) => method === 'POST').map(readOrder),
    runs: await world.runs(),
    notifications: await sandbox.webhooks(),
    chains: await world.chains([...new Set(refs)]),
    messagesAre,
  };
}

/** All messages but ephemeral ones, oldest first. */
export function postedIn({ slack }: Pick<FaultWorld, 'slack'>): Posted[] {
  return slack
    .messages()
    .filter(({ onlyFor }) => onlyFor === undefined)
    .map(readMessage);
}

/** Whether the service has notified the bot of this run, and no notification was ever accepted. */
export function isUnheard({ kickoffId }: RunSummary, notifications: readonly RecordedWebhook[]): boolean {
  const own = notifications.filter(({ runId }) => runId === kickoffId);
  return own.length > 0 && !own.some(({ outcome }) => isTaken(outcome));
}

/** Whether a card says that its decision may not have arrived, and offers a way on. */
export function isUnconfirmed(text: string): boolean {
  return text.includes('not confirmed') && text.includes('[Send again]');
}

export function isTaken(outcome: RecordedWebhook['outcome']): boolean {
  return typeof outcome === 'object' && 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
}

function readMessage({ channel, ts, threadTs, text, blocks, metadata, notifies }: StoredMessage): Posted {
  const payload = objectAt(metadata, 'event_payload');
  return {
    channel,
    ts,
    threadTs: threadTs === ts ? undefined : threadTs,
    text: visibleText({ text, blocks, files: [] }),
    ref: stringAt(payload, 'ref'),
    key: stringAt(payload, 'key'),
    notifies,
  };
}

export function readOrder({ crew, route, body: text, answer, applied }: RecordedRequest): Order {
  const parsed = parseJson(text);
  const body = isObject(parsed) ? parsed : {};
  const status = typeof answer === 'object' ? answer.status : null;
  const isBusy = typeof answer === 'object' && status === 503 && 'retry-after' in answer.headers;
  const webhook = stringAt(objectAt(body, 'humanInputWebhook'), 'url') ?? '';
  return {
    crew,
    route,
    ref: /executions\/([^/]+)\//.exec(webhook)?.[1] ?? '',
    body,
    mayHaveArrived: status === null || status < 400 || (status >= 500 && !isBusy),
    wasApplied: applied && (status === null || status < 400 || status >= 500),
  };
}
