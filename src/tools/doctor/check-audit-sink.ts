import {
  codeIn,
  createObjectStorage,
  md5,
  type ObjectLock,
  type ObjectStorage,
  outcomeOf,
} from '../../ledger/sink/object-storage.ts';
import { inWords, type Outcome, type Receiver, type SinkSettings } from '../../ledger/sink/receiver.ts';
import { createWebhook, message, type Webhook } from '../../ledger/sink/webhook.ts';
import { type Finding, fine, wrong } from './finding.ts';

interface CheckOptions {
  secrets: readonly string[];
  auditDays: number;
}

/** Checks that AUDIT_SINK accepts batches: a webhook gets a signed test message, storage a test object that it refuses. */
export async function checkAuditSink(sink: SinkSettings, options: CheckOptions): Promise<Finding> {
  const about = 'Audit sink';
  const { receiver, ask } = questionTo(sink, options);
  try {
    const { outcome, remark } = await ask();
    if (outcome.kind !== 'taken') return wrong(about, `${receiver.host} ${inWords(outcome)}.`, adviceOn(sink, outcome));
    const taken = sink.kind === 'webhook' ? 'took a signed test message.' : 'takes objects in this bucket.';
    return fine(about, [`${receiver.host} ${taken}`, ...(remark === null ? [] : [remark])].join(' '));
  } finally {
    await receiver.close();
  }
}

/** The outcome of the test, and a remark about the sink. */
interface SinkReply {
  outcome: Outcome;
  remark: string | null;
}

function questionTo(sink: SinkSettings, options: CheckOptions): { receiver: Receiver; ask: () => Promise<SinkReply> } {
  if (sink.kind === 'webhook') {
    const receiver = createWebhook(sink, options);
    return { receiver, ask: () => askWebhook(receiver) };
  }
  const receiver = createObjectStorage(sink, options);
  return { receiver, ask: () => askStorage(receiver, options.auditDays) };
}

async function askWebhook({ post }: Webhook): Promise<SinkReply> {
  const at = Date.now();
  return { outcome: await post(`test_${at}`, message('audit.test', at, '{}')), remark: null };
}

async function askStorage({ put, askForLock }: ObjectStorage, auditDays: number): Promise<SinkReply> {
  const lock = await askForLock();
  if (typeof lock !== 'string') return { outcome: lock, remark: null };
  // Once all else is right, storage that checks objects refuses this wrong checksum, and stores nothing.
  const answer = await put(TEST_NAME, 'A test.\n', { headers: { 'content-md5': md5('Another text.\n') } });
  const isChecked = answer.kind === 'answered' && codeIn(answer.text) === 'BadDigest';
  const remark = LOCK_REMARKS[lock](auditDays);
  if (isChecked) return { outcome: { kind: 'taken' }, remark };
  const outcome = outcomeOf(answer);
  return outcome.kind === 'taken'
    ? { outcome, remark: `${remark} It doesn't check what it is sent, so the test ${TEST_NAME} is stored there now.` }
    : { outcome, remark: null };
}

const TEST_NAME = 'signoff-test.txt';

const LOCK_REMARKS: Record<ObjectLock, (days: number) => string> = {
  none: () => 'It has no object lock.',
  'by-default': () => 'Its object lock keeps objects for as long as the bucket says.',
  'where-asked': (days) => `Its object lock keeps objects for ${days} days (AUDIT_DAYS).`,
  unknown: () => "It doesn't say whether it has object lock (s3:GetBucketObjectLockConfiguration).",
};

function adviceOn({ kind }: SinkSettings, outcome: Exclude<Outcome, { kind: 'taken' }>): string {
  if (outcome.kind === 'no-answer') return 'Check the address in AUDIT_SINK, DNS, the firewall and the certificate.';
  if (kind === 's3')
    return 'Check the bucket, region and endpoint in AUDIT_SINK, the AWS_… keys, and what they may do.';
  return 'Check the address in AUDIT_SINK, and that it has the secret that `npm run audit -- sink-key` prints.';
}
