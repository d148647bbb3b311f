import { expect, it } from 'vitest';
import { readSinkSettings } from '../../../src/config/sink-settings.ts';
import { freePort } from '../../../src/setup/free-port.ts';
import { checkAuditSink } from '../../../src/tools/doctor/check-audit-sink.ts';
import { findingLine } from '../../../src/tools/doctor/finding.ts';
import { startS3rver } from '../../ledger/sink/s3rver.ts';
import { startSiem } from '../../ledger/sink/siem.ts';
import { KEYS, startStrictStorage } from '../../ledger/sink/strict-storage.ts';

const SECRET = 'a secret of at least thirty-two characters';

async function found(address: string, keys = KEYS, secret = SECRET): Promise<string> {
  const settings = readSinkSettings({
    AUDIT_SINK: address,
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  });
  if (!settings.ok || settings.value === null) throw new Error('these settings are valid');
  return findingLine(await checkAuditSink(settings.value, { secrets: [secret], auditDays: 400 }));
}

it('sends a receiver of webhooks a signed test message, and no entries', async () => {
  const siem = await startSiem(SECRET);
  const { host } = new URL(siem.url);
  expect(await found(`${siem.url}?token=hush`)).toBe(`✓ Audit sink: ${host} took a signed test message.`);
  expect(siem.seen).toHaveLength(1);
  expect(JSON.parse(siem.seen[0]?.body ?? '')).toMatchObject({ type: 'audit.test', data: {} });
  expect(siem.taken()).toEqual([]);
  expect(await found(`${siem.url}?token=hush`, KEYS, 'another secret of thirty-two characters')).toBe(
    `✗ Audit sink: ${host} answers 401. Check the address in AUDIT_SINK, and that it has the secret that \`npm run audit -- sink-key\` prints.`,
  );
});

it('says that nothing answers', async () => {
  const host = `127.0.0.1:${await freePort()}`;
  const advice = 'Check the address in AUDIT_SINK, DNS, the firewall and the certificate.';
  for (const address of [`http://hush:hush@${host}/hush`, `s3://hush?region=eu-west-1&endpoint=http://${host}`])
    expect(await found(address)).toBe(`✗ Audit sink: ${host} doesn't answer (ECONNREFUSED). ${advice}`);
});

it.each([
  ['none', 'It has no object lock.'],
  ['by-default', 'Its object lock keeps objects for as long as the bucket says.'],
  ['where-asked', 'Its object lock keeps objects for 400 days (AUDIT_DAYS).'],
  ['kept from us', "It doesn't say whether it has object lock (s3:GetBucketObjectLockConfiguration)."],
] as const)('asks storage whose object lock is %s, and stores nothing there', async (lock, remark) => {
  const { endpoint, stored } = await startStrictStorage(lock);
  const { host } = new URL(endpoint);
  expect(await found(`s3://audit?region=eu-west-1&endpoint=${endpoint}`)).toBe(
    `✓ Audit sink: ${host} takes objects in this bucket. ${remark}`,
  );
  expect(stored).toEqual([]);
});

it('says why storage would take nothing', async () => {
  const { endpoint } = await startStrictStorage('none');
  const { host } = new URL(endpoint);
  const advice = 'Check the bucket, region and endpoint in AUDIT_SINK, the AWS_… keys, and what they may do.';
  expect(await found(`s3://nowhere?region=eu-west-1&endpoint=${endpoint}`)).toBe(
    `✗ Audit sink: ${host} answers 404 (NoSuchBucket). ${advice}`,
  );
  const wrong = { ...KEYS, secretAccessKey: 'hush' };
  expect(await found(`s3://audit?region=eu-west-1&endpoint=${endpoint}`, wrong)).toBe(
    `✗ Audit sink: ${host} answers 403 (SignatureDoesNotMatch). ${advice}`,
  );
});

it('says what it has left in storage that checks nothing', async () => {
  const { address, keys, names } = await startS3rver();
  expect(await found(address, keys)).toMatch(
    /takes objects in this bucket\. .* so the test signoff-test\.txt is stored there now\.$/,
  );
  expect(await names()).toEqual(['signoff-test.txt']);
});
