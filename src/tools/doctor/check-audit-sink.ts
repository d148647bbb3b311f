import { createReceiver } from '../../ledger/sink/create-receiver.ts';
import { inWords, type Outcome, type SinkSettings } from '../../ledger/sink/receiver.ts';
import { type Finding, fine, wrong } from './finding.ts';

interface CheckOptions {
  secrets: readonly string[];
  auditDays: number;
}

/** Checks that AUDIT_SINK takes what it would be sent: a webhook gets a signed test message, storage is asked with a test that it refuses. */
export async function checkAuditSink(sink: SinkSettings, options: CheckOptions): Promise<Finding> {
  const about = 'Audit sink';
  const receiver = createReceiver(sink, options);
  try {
    const { outcome, remark } = await receiver.ask();
    if (outcome.kind !== 'taken') return wrong(about, `${receiver.host} ${inWords(outcome)}.`, adviceOn(sink, outcome));
    const taken = sink.kind === 'webhook' ? 'took a signed test message.' : 'takes objects in this bucket.';
    return fine(about, [`${receiver.host} ${taken}`, ...(remark === null ? [] : [remark])].join(' '));
  } finally {
    await receiver.close();
  }
}

function adviceOn({ kind }: SinkSettings, outcome: Exclude<Outcome, { kind: 'taken' }>): string {
  if (outcome.kind === 'no-answer') return 'Check the address in AUDIT_SINK, DNS, the firewall and the certificate.';
  if (kind === 's3')
    return 'Check the bucket, region and endpoint in AUDIT_SINK, the AWS_… keys, and what they may do.';
  return 'Check the address in AUDIT_SINK, and that it has the secret that `npm run audit -- sink-key` prints.';
}
