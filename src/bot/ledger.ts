import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { WORKFLOW, WORKFLOW_POLICY } from '../core/policy/crew.ts';
import { policyHash } from '../core/policy/document.ts';
import type { ChannelMoves } from '../core/ports.ts';
import type { Millis } from '../core/values/time.ts';
import { deriveSigners } from '../ledger/checkpoint.ts';
import { type PostText, startSealer } from '../ledger/sealer.ts';
import { createReceiver } from '../ledger/sink/create-receiver.ts';
import { startSink } from '../ledger/sink/sink.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { answerDeadline, type RedisClient } from '../redis/call.ts';
import { createChannelMoves } from '../redis/channel-moves.ts';
import { recordKeys } from '../redis/keys.ts';
import { readChain } from '../redis/ledger/chain.ts';
import { readConditions, recordPolicies } from '../redis/ledger/policies.ts';
import { recordRefusal, recordRefusedStart } from '../redis/ledger/refusals.ts';
import { readSinkLag } from '../redis/ledger/sink.ts';
import { beginPrinting } from '../redis/ledger/tree.ts';
import type { Replication } from '../redis/replication.ts';
import { findChannel } from '../slack/api/channels.ts';
import type { SlackClients } from '../slack/api/clients.ts';
import { postText } from '../slack/api/posts.ts';
import type { Workspaces } from '../slack/api/workspaces.ts';
import type { RefusedAttempt, RefusedStart, RunEntries } from '../slack/listening/context.ts';

// The parts of the ledger that the bot runs: it records policies and refusals, seals entries and sends them on.

export type Ledger = ReturnType<typeof createLedger>;

interface LedgerSlack {
  clients: SlackClients;
  workspaces: Workspaces;
}

/**
 * Creates everything about the ledger except the entries of runs, which their store writes: refusals, policies, sealing and the
 * sink. Every method that uses Redis throws `StoreUnavailable`.
 */
export function createLedger(
  redis: RedisClient,
  config: Config,
  { replication, log, metrics }: { replication: Replication | null; log: Logger; metrics: Metrics },
) {
  const { crews, secrets, audit } = config;
  const { days: auditDays, channel } = audit;
  const postFrom = (slack: LedgerSlack): PostText | null =>
    channel === null ? null : (text) => postToChannel(slack, { idOrName: channel, text, moves });
  const receiver = audit.sink && createReceiver(audit.sink, { secrets, auditDays });
  const options = { auditDays, entryKeys: entryKeysOf(secrets) };
  const moves = createChannelMoves(redis);
  const policies = new Map(crews.map(({ name, approval }) => [name, approval]));
  return {
    /** Enters a refused start. */
    async recordRefusedStart({ crew, by, reason, requestId }: RefusedStart): Promise<void> {
      const policy = policyHash(policies.get(crew) ?? null);
      const facts = { approval: null, action: 'start', by, reason, policy };
      await recordRefusedStart(redis, crew, { facts, requestId, ...options });
    },
    /** Enters any other refused attempt among the entries of its run. */
    async recordRefusal(ref: string, { facts, requestId }: RefusedAttempt): Promise<void> {
      await recordRefusal(redis, ref, { facts, requestId, ...options });
      const until = answerDeadline();
      await replication?.untilReplicated({ recordKey: recordKeys(ref).record, writeId: '', until });
    },
    /** Returns what the ledger has about a run. */
    async runEntries(ref: string): Promise<RunEntries> {
      const entries = await readChain(redis, ref);
      return { entries, conditions: await readConditions(redis, entries) };
    },
    /** Enters the rules of workflows, which most never need. */
    async recordWorkflowPolicy(): Promise<void> {
      const approval = policies.get(WORKFLOW) ?? WORKFLOW_POLICY;
      await recordPolicies(redis, [{ name: WORKFLOW, approval }], options);
    },
    /** Enters new policies. Call it before anything else is entered. */
    async begin(): Promise<void> {
      if (audit.log === 'stdout') await beginPrinting(redis);
      await recordPolicies(redis, crews, options);
    },
    /** Posts to AUDIT_CHANNEL, if there is one. Throws what the client throws. */
    tellOperators: async (slack: LedgerSlack, text: string): Promise<void> => {
      await postFrom(slack)?.(text);
    },
    startSealing: (slack: LedgerSlack, everyMs?: Millis) =>
      startSealer(redis, log, {
        secrets,
        auditDays,
        auditLog: audit.log,
        ...(everyMs !== undefined && { everyMs }),
        post: postFrom(slack),
        observe: metrics.ledger,
      }),
    /** The receiver of sealed entries besides Redis; null if there is none. */
    sink: receiver && {
      startSending: (slack: LedgerSlack, everyMs?: Millis) =>
        startSink(redis, log, { receiver, secrets, auditDays, post: postFrom(slack), everyMs }),
      /** Returns what the sink hasn't taken yet. */
      lag: () => readSinkLag(redis, receiver.id, auditDays),
    },
  };
}

/** Returns the keys by which the sealer recognises entries of this bot, or of another one with one of these secrets. */
export function entryKeysOf(secrets: readonly string[]): Buffer[] {
  return deriveSigners(secrets).map(({ entryKey }) => entryKey);
}

async function postToChannel(
  { clients: { background: client }, workspaces }: LedgerSlack,
  { idOrName, text, moves }: { idOrName: string; text: string; moves: ChannelMoves },
): Promise<void> {
  const channel = await findChannel({ client, workspaces }, idOrName);
  if (channel === null) throw new Error('AUDIT_CHANNEL names a channel that the bot does not see.');
  await postText(client, await moves.latest(channel), text);
}
