// Sends decisions to the addresses that flows and programs have named for them.
import type { Logger } from 'pino';
import type { ResumeAnswer } from '../../core/execution/events.ts';
import type { Crew } from '../../core/policy/crew.ts';
import type { AskerPort, ToldDecision } from '../../core/ports.ts';
import { withEditedText } from '../../core/request/edits.ts';
import { HOUR_MS } from '../../core/values/time.ts';
import { openText, sealText } from '../../encryption/sealed-text.ts';
import { judge, NOT_CONFIGURED_MS, resumeAnswer, unsendable } from '../answers.ts';
import { type CallOutcome, createCaller, createWatchCall, type ObservedCall } from '../call.ts';
import { deriveKey } from '../credentials.ts';
import { signatureHeaders } from '../signature.ts';
import { askTold } from './told-decision.ts';

/** Encrypts addresses, which hold secrets, for the record. */
export interface AddressSeal {
  seal(url: string, ref: string): string;
  /** Returns null if no secret opens it any more. */
  open(sealed: string, ref: string): string | null;
}

/** @param secrets the newest first: it seals, and all of them open */
export function createAddressSeal(secrets: readonly [string, ...string[]]): AddressSeal {
  const [newest, ...older] = secrets.map((secret) => deriveKey(secret, 'destination')) as [Buffer, ...Buffer[]];
  return {
    seal: (url, ref) => sealText(newest, url, ref).toString('base64url'),
    open(sealed, ref) {
      for (const key of [newest, ...older]) {
        const url = openText(key, Buffer.from(sealed, 'base64url'), ref);
        if (url !== null) return url;
      }
      return null;
    },
  };
}

/**
 * Returns why decisions can't go to an address, as a sentence without its subject; null if they can. They go only over https, except
 * to this machine, and only to hosts that the operator has named, so that nobody can make us call anything else.
 */
export function whyNotCallback(address: string, { callbackHosts }: Pick<Crew, 'callbackHosts'>): string | null {
  if (!URL.canParse(address)) return 'is no address';
  const { protocol, host, hostname, username, password } = new URL(address);
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) return 'must begin with https://';
  if (username !== '' || password !== '') return 'must have no user name and no password';
  return callbackHosts.includes(host) ? null : `is on ${host}, which callback_hosts of the crew doesn't name`;
}

interface AskerOptions {
  crews: ReadonlyMap<string, Crew>;
  /** Newest first. */
  secrets: readonly string[];
  addresses: AddressSeal;
  log: Logger;
  /** Called after each call, for metrics. */
  observe?: (call: ObservedCall) => void;
  effectMs?: number;
}

const EFFECT_MS = 30_000;
const MOST_ANSWER_BYTES = 65_536;

/** The name of the answering side in a flow's history. */
const SOURCE = 'signoff';

export function createAskers({
  crews,
  secrets,
  addresses,
  log,
  observe,
  effectMs = EFFECT_MS,
}: AskerOptions): AskerPort & { close(): Promise<void> } {
  const caller = createCaller();
  const watch = createWatchCall(log, observe);

  const post = (address: string, { body, headers = {} }: { body: string; headers?: Record<string, string> }) => {
    const { origin, pathname, search, searchParams } = new URL(address);
    const call = { method: 'POST', baseUrl: origin, path: `${pathname}${search}`, token: null, body, headers } as const;
    const secrets = [...searchParams.values(), ...pathname.split('/').map(readable)];
    return caller.once({ ...call, secrets, until: performance.now() + effectMs, mostBytes: MOST_ANSWER_BYTES });
  };

  return {
    tell: ({ kind, sealedUrl }, decided) =>
      watch({ crew: decided.crew, method: kind, ref: decided.ref }, async () => {
        const crew = crews.get(decided.crew);
        // Another process may have it configured, or this one after a restart.
        if (!crew) return { kind: 'unavailable', reason: 'unreachable', waitMs: NOT_CONFIGURED_MS };
        const address = addresses.open(sealedUrl, decided.ref);
        if (address === null) return unsendable('The address for the decision can no longer be read.');
        const refusal = whyNotCallback(address, crew);
        if (refusal !== null) return unsendable(`The address for the decision ${refusal}.`);
        if (kind === 'callback') {
          const outcome = await post(address, callback(decided, secrets));
          const answer = ofProgram(resumeAnswer(judge(outcome, { longestWaitMs: HOUR_MS })));
          const said = outcome.kind === 'answered' ? outcome.status : outcome.reason;
          if (answer.kind !== 'accepted')
            log.warn({ crew: crew.name, ref: decided.ref, said }, 'a callback was not taken');
          return answer;
        }
        const outcome = await post(address, flowAnswer(decided));
        if (isAnsweredElsewhere(outcome, decided)) return { kind: 'void', by: 'elsewhere' };
        return ofFlow(resumeAnswer(judge(outcome, crew)));
      }),
    close: () => caller.close(),
  };
}

/** Decodes a part of a path, unless it is encoded wrongly. */
function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** https://docs.crewai.com/en/enterprise/features/flow-hitl-management#responding-to-requests */
function flowAnswer({ request, editedText }: ToldDecision): { body: string } {
  const { text } = editedText === null ? request.state.decision : withEditedText(request.state.decision, editedText);
  return { body: JSON.stringify({ feedback: text.toWellFormed(), source: SOURCE }) };
}

/** Returns true if somebody was faster in the flow's control panel or by e-mail, not an unconfirmed attempt of our own. */
function isAnsweredElsewhere(
  outcome: CallOutcome,
  {
    request: {
      state: { attempts },
    },
  }: ToldDecision,
): boolean {
  if (outcome.kind !== 'answered' || outcome.status !== 409) return false;
  return attempts.length === 1 || /dashboard|e-?mail/i.test(outcome.text ?? '');
}

/** Changes the refusal `unauthorized` of a flow's address: it takes no token of the crew, so a new token wouldn't help. */
function ofFlow(answer: ResumeAnswer): ResumeAnswer {
  if (answer.kind !== 'refused' || answer.failure.code !== 'unauthorized') return answer;
  return { ...answer, failure: { ...answer.failure, code: 'other' } };
}

const GONE = 410;

/**
 * A program can't name a run of the crew, whose requests would count as its own. Only 410 says that it wants no callback:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#delivery-success-and-failure
 */
function ofProgram(answer: ResumeAnswer): ResumeAnswer {
  if (answer.kind === 'accepted') return { ...answer, kickoffId: null };
  return answer.kind === 'refused' && answer.failure.status !== GONE ? { kind: 'unknown' } : answer;
}

/** Returns the same for each attempt, so that a receiver recognises a decision that it has already. */
function callback({ ref, crew, request, editedText }: ToldDecision, secrets: readonly string[]) {
  const body = JSON.stringify({
    type: 'ask.decided',
    timestamp: new Date(request.state.decision.at).toISOString(),
    data: askTold(ref, request, editedText),
  }).toWellFormed();
  const id = `ask_${ref}_${request.id}`;
  return { body, headers: signatureHeaders({ id, body }, { secrets, signer: { purpose: 'callback', crew } }) };
}
