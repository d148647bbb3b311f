// A trial is one real run of a crew with one real approval, to see what its service does (`npm run doctor -- --try-approval
// CREW`).

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import type { Config } from '../../config/config.ts';
import type { KickoffAnswer, ResumeAnswer } from '../../core/execution/events.ts';
import { type LedgerFacts, sha256 } from '../../core/ledger/entry.ts';
import { type Crew, inputFields } from '../../core/policy/crew.ts';
import type { RawStatus } from '../../core/ports.ts';
import type { Inputs, Json } from '../../core/values/json.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import type { Millis } from '../../core/values/time.ts';
import { type CrewClient, createCrewClient } from '../../crew/client.ts';
import { type Credentials, createCredentials, createRefs } from '../../crew/credentials.ts';
import { readJsonBody } from '../../crew/payload.ts';
import { parseHumanInput, type ReadableRequest } from '../../crew/webhooks/human-input.ts';
import {
  executionAddress,
  type NotificationKind,
  type WebhookRoute,
  type Webhooks,
} from '../../crew/webhooks/routes.ts';
import { createHttpServer } from '../../http/server.ts';
import { deriveSigners } from '../../ledger/checkpoint.ts';
import type { RedisClient } from '../../redis/call.ts';
import { appendToChain } from '../../redis/ledger/chain.ts';
import { crewDayChain, redisNow } from '../../redis/ledger/policies.ts';
import { CannotAudit, withRedis } from '../ledger-command.ts';
import { readInputs } from '../told-request.ts';
import { checkPublicAddress } from './check-network.ts';
import { doubtful, type Finding, fine, wrong } from './finding.ts';

export interface Trial {
  crew: string;
  /** Options `NAME=VALUE`. */
  inputs: readonly string[];
}

export interface TrialLimits {
  /** Time limits until the crew asks, and until something shows that the approval took effect. */
  askingMs: Millis;
  effectMs: Millis;
  /** Time between two questions for the status. */
  statusMs: Millis;
}

const LIMITS: TrialLimits = { askingMs: 15 * 60_000, effectMs: 3 * 60_000, statusMs: 5_000 };
const LOOK_MS = 100;
const SILENT = pino({ level: 'silent' });

/** Returns what a trial does, for the operator who has to agree to it. */
export function trialWarning({ crew }: Trial): string {
  return [
    `This starts a real run of ${crew}, which may cost something, and approves the first thing that it asks.`,
    'Stop the bot first: until the trial is over, notifications arrive here, and those of other runs are told to come again.',
    'The approval becomes an entry of the ledger. Add --yes to do it.',
  ].join('\n');
}

/** Starts a run, waits for its request, enters and sends an approval, waits for an effect, and reports each finding. */
export async function tryApproval(
  config: Config,
  trial: Trial,
  report: (finding: Finding) => void,
  limits: TrialLimits = LIMITS,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const add = (finding: Finding): Finding => {
    findings.push(finding);
    report(finding);
    return finding;
  };
  const crew = config.crews.find(({ name }) => name === trial.crew);
  if (!crew) {
    const names = config.crews.map(({ name }) => name).join(', ');
    add(wrong('Crew', `there is no crew ${trial.crew}.`, `The crews are: ${names}.`));
    return findings;
  }
  const credentials = createCredentials(config.secrets);
  const { publicUrl, webhookAuth } = config;
  const client = createCrewClient({ crews: [crew], publicUrl, credentials, webhookAuth, log: SILENT });
  const ref = createRefs(config.secrets).createRef({ triggerId: randomUUID() });
  const notifications: Received[] = [];
  const server = createHttpServer({
    webhooks: listenTo(ref, credentials, (each) => notifications.push(each)),
    readiness: async () => ({ version: '', parts: {} }),
    metrics: async () => '',
    log: SILENT,
  });
  try {
    await server.listen(config.port);
    if (add(await checkPublicAddress(config)).mark === 'wrong') return findings;
    await withRedis({ redisUrl: () => config.redis.url }, (redis) => {
      const enter = (tried: LedgerFacts['tried']) => enterTrial(redis, config, tried);
      return carryOut({ crew, client, ref, notifications, add, enter, limits }, trial);
    });
  } catch (error) {
    add(faultFinding(error, config.port));
  } finally {
    await server.close(1_000);
    await client.close();
  }
  return findings;
}

interface Attempt {
  crew: Crew;
  client: CrewClient;
  ref: string;
  /** Notifications so far, oldest first. */
  notifications: readonly Received[];
  add: (finding: Finding) => Finding;
  /** @throws {StoreUnavailable} */
  enter: (tried: LedgerFacts['tried']) => Promise<unknown>;
  limits: TrialLimits;
}

async function carryOut(attempt: Attempt, trial: Trial): Promise<void> {
  const { crew, client, ref, notifications, add, enter } = attempt;
  const inputs = await findInputs(attempt, trial);
  if (!inputs.ok) return void add(inputs.refusal);
  const kickoff = await client.kickoff(crew.name, { ref, hop: 0, inputs: inputs.value, as: null });
  if (add(startFinding(kickoff)).mark !== 'fine' || kickoff.kind !== 'accepted') return;
  const awaited = await waitForRequest(attempt, kickoff.kickoffId);
  const streamed = notifications.filter(({ kind }) => kind === 'events').length;
  if (client.mannerOf(crew.name).events === 'stream') add(streamFinding(streamed));
  if ('mark' in awaited) return void add(awaited);
  const { request, afterMs } = awaited;
  const isSecret = client.mannerOf(crew.name).humanInput === 'plain-address';
  const where = isSecret ? 'at the secret address' : 'with its credentials';
  add(fine('Request', `it asked after ${Math.round(afterMs / 1_000)} s, ${where}.`));
  add(pausedFinding(await client.status(crew.name, kickoff.kickoffId)));
  const { taskId, taskName } = request;
  await enter({
    crew: crew.name,
    task: { id: taskId, name: taskName },
    kickoff: kickoff.kickoffId,
    text: { sha256: sha256(crew.approvalText), length: crew.approvalText.length },
  });
  const resumed = await client.resume(crew.name, {
    ...{ ref, hop: 1, as: null, taskId, isApprove: true, feedback: crew.approvalText },
    executionId: request.executionId ?? request.kickoffId ?? kickoff.kickoffId,
  });
  if (add(approvalFinding(resumed, client.mannerOf(crew.name).names)).mark !== 'fine') return;
  const newId = resumed.kind === 'accepted' ? resumed.kickoffId : null;
  const effect = await waitForEffect(attempt, { request, kickoffId: newId ?? kickoff.kickoffId });
  add(effect);
  if (effect.mark === 'fine') add(settingsFinding(attempt));
}

/** Enters the trial before anything is approved, so that no approval lacks its entry. */
async function enterTrial(redis: RedisClient, { secrets, audit }: Config, facts: LedgerFacts['tried']): Promise<void> {
  const at = await redisNow(redis);
  await appendToChain(redis, crewDayChain(facts.crew, at), {
    events: [{ kind: 'tried', at, facts }],
    auditDays: audit.days,
    entryKeys: deriveSigners(secrets).map(({ entryKey }) => entryKey),
  });
}

async function findInputs({ crew, client }: Attempt, trial: Trial): Promise<Result<Inputs, Finding>> {
  const answer = await client.inputs(crew.name);
  if (answer.kind !== 'inputs')
    return refuse(wrong('Inputs', "couldn't ask the crew for them.", 'Run npm run doctor without --try-approval.'));
  const fields = inputFields(answer.names, crew.inputs);
  const byName = Object.fromEntries(fields.map((field) => [field.name, field]));
  const settings = readInputs({ name: crew.name, inputs: byName }, trial.inputs);
  if (!settings.ok) return refuse(wrong('Inputs', settings.refusal, null));
  const presets = fields.flatMap(({ name, default: preset }) => (preset === null ? [] : [[name, preset] as const]));
  const inputs: Inputs = { ...Object.fromEntries(presets), ...settings.value };
  const missing = answer.names.filter((name) => !Object.hasOwn(inputs, name));
  if (missing.length === 0) return ok(inputs);
  const options = missing.map((name) => `--input ${name}=…`).join(' ');
  return refuse(
    wrong('Inputs', `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`, `Add ${options}.`),
  );
}

function startFinding(answer: KickoffAnswer): Finding {
  switch (answer.kind) {
    case 'accepted':
      return fine('Start', `started as ${answer.kickoffId}.`);
    case 'refused':
      return wrong('Start', `refused: ${sentence(answer.refusal.detail || answer.refusal.code)}`, null);
    case 'unavailable':
      return wrong('Start', 'the service takes no starts right now.', 'Try again later.');
    case 'unknown':
      return wrong('Start', 'unclear whether it started.', 'Look in the control panel before you try again.');
  }
}

type Asked = { request: ReadableRequest; afterMs: Millis };

async function waitForRequest(attempt: Attempt, kickoffId: string): Promise<Asked | Finding> {
  const { notifications, limits, crew } = attempt;
  const startedAt = performance.now();
  const result = await watch(attempt, { kickoffId, ms: limits.askingMs }, (status) => {
    const request = requestsIn(notifications, 0)[0];
    if (request) return { request, afterMs: performance.now() - startedAt };
    if (status?.kind === 'failed')
      return wrong('Request', `the run failed: ${sentence(status.error || 'no reason given')}`, null);
    if (status?.kind === 'completed') return NOT_ASKED;
    return null;
  });
  if (result) return result;
  const minutes = Math.round(limits.askingMs / 60_000);
  const advice =
    crew.platform === 'amp'
      ? 'See that the crew has a task with human input, and that it reaches PUBLIC_URL. If so, try it without platform: amp.'
      : 'See that the crew has a task with human input, and that it reaches PUBLIC_URL. If it is deployed on CrewAI AMP, set platform: amp.';
  return wrong('Request', `it didn't ask within ${minutes} min. Its run goes on.`, advice);
}

const NOT_ASKED = doubtful(
  'Request',
  'the run ended without asking anybody.',
  'Choose a crew with a task that has human input; otherwise see docs/connect.md about platform.',
);

function streamFinding(events: number): Finding {
  return events > 0
    ? fine('Events', 'the service streams them.')
    : doubtful(
        'Events',
        'the service took the wish for them, but none came.',
        "What happens before the first decision isn't told. Without platform: amp it is told at addresses.",
      );
}

function pausedFinding({ kind }: RawStatus): Finding {
  switch (kind) {
    case 'waiting':
      return fine('Status', 'it says that the run waits.');
    case 'not-found':
      return fine('Status', "it doesn't know the run while it waits, as deployed services do.");
    case 'running':
    case 'completed':
    case 'failed':
    case 'unauthorized':
    case 'unreachable':
    case 'busy':
    case 'error':
      return fine('Status', `it says ${kind} while the run waits, so only the notification tells of a pause.`);
  }
}

function approvalFinding(answer: ResumeAnswer, names: 'snake' | 'camel'): Finding {
  switch (answer.kind) {
    case 'accepted':
      return fine('HumanRequest', `the service took it${names === 'camel' ? ', with names in camel case' : ''}.`);
    case 'void':
      return wrong('HumanRequest', 'somebody has answered already.', null);
    case 'refused':
      return wrong(
        'HumanRequest',
        `refused: ${sentence(answer.failure.detail || answer.failure.code)}`,
        'The run still waits.',
      );
    case 'unavailable':
    case 'unknown':
      return wrong('HumanRequest', 'unclear whether it arrived.', 'Look in the control panel.');
  }
}

/** Waits for something that shows whether the approval took effect. */
async function waitForEffect(
  attempt: Attempt,
  { request, kickoffId }: { request: ReadableRequest; kickoffId: string },
): Promise<Finding> {
  const { notifications, limits, crew } = attempt;
  const result = await watch(attempt, { kickoffId, ms: limits.effectMs }, (status) => {
    const next = requestsIn(notifications, 1)[0];
    if (next?.taskId === request.taskId)
      return wrong(
        'Effect',
        `it asked about the same task again: it takes "${crew.approvalText}" for a rejection. Its run waits.`,
        'Set approval_text to what it takes for an approval, and approval_notes: false.',
      );
    if (status?.kind === 'failed')
      return wrong('Effect', `the run failed: ${sentence(status.error || 'no reason given')}`, null);
    if (next) return fine('Effect', 'the run went on, and asked about another task.');
    if (status?.kind === 'completed') return fine('Effect', 'the run went on to its end.');
    if (notifications.some(({ hop, kind }) => hop === 1 && kind !== 'human-input'))
      return fine('Effect', 'the run went on.');
    return null;
  });
  return result ?? doubtful('Effect', 'nothing shows that the run went on.', 'Look in the control panel.');
}

function settingsFinding({ crew, client }: Attempt): Finding {
  const { humanInput, events } = client.mannerOf(crew.name);
  if (crew.platform === null)
    return fine('Settings', 'right as they are: the service does what the specification says.');
  if (humanInput === 'plain-address' && events === 'stream') return fine('Settings', 'platform: amp is right.');
  return fine('Settings', 'platform: amp works, but the service knows not all of it; it may be left out.');
}

/** Looks again and again until there is a result, sometimes with a new status; null if there is none in time. */
async function watch<Found>(
  { crew, client, limits }: Attempt,
  { kickoffId, ms }: { kickoffId: string; ms: Millis },
  look: (status: RawStatus | null) => Found | null,
): Promise<Found | null> {
  const until = performance.now() + ms;
  let nextStatusAt = performance.now() + limits.statusMs;
  while (performance.now() < until) {
    const isDue = performance.now() >= nextStatusAt;
    const result = look(isDue ? await client.status(crew.name, kickoffId) : null);
    if (result !== null) return result;
    if (isDue) nextStatusAt = performance.now() + limits.statusMs;
    await delay(LOOK_MS);
  }
  return null;
}

interface Received {
  kind: NotificationKind;
  hop: number;
  body: Json;
}

function requestsIn(notifications: readonly Received[], hop: number): ReadableRequest[] {
  const parsed = notifications
    .filter((each) => each.kind === 'human-input' && each.hop === hop)
    .map(({ body }) => body);
  return parsed.map(parseHumanInput).flatMap((request) => (request.kind === 'human-input' ? [request] : []));
}

/** Serves the webhook addresses of one run. Other notifications get 503, so that they come again to the bot. */
function listenTo(ref: string, credentials: Credentials, receive: (notification: Received) => void): Webhooks {
  return {
    find([top, of, owner, ...rest]) {
      if (top !== 'webhooks') return null;
      if (of !== 'executions' || owner !== ref) return LATER;
      const address = executionAddress(credentials, ref, rest);
      return (
        address && {
          proof: 'credentials',
          authenticate(headerOf) {
            const hop = address.hopOf(headerOf('authorization'));
            if (hop === null) return null;
            return async (bytes) => {
              const read = readJsonBody(bytes);
              if (read.ok) receive({ kind: address.kind, hop, body: read.value.value });
              return { status: 200, body: { status: 'heard' } };
            };
          },
        }
      );
    },
  };
}

const LATER: WebhookRoute = {
  proof: 'credentials',
  authenticate: () => async () => ({
    status: 503,
    retryAfterS: 60,
    body: { status: 'unavailable', message: 'The bot is stopped for a trial.' },
  }),
};

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Turns a known error into a finding. @throws any other error */
function faultFinding(error: unknown, port: number): Finding {
  if (error instanceof CannotAudit)
    return wrong(
      'Ledger',
      `nothing was approved, since the ledger can't say so: ${sentence(error.message)}`,
      'Check REDIS_URL.',
    );
  if (!isPortTaken(error)) throw error;
  return wrong('Port', `something listens on port ${port} already.`, 'Stop the bot for as long as this takes.');
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
