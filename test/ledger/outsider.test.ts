import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { sealNew } from '../../src/ledger/seal.ts';
import { redisForTests } from '../redis/store-under-test.ts';
import { AUDIT_DAYS, append, exported, refOf, seed, signers } from './ledger-under-test.ts';

const { redis } = redisForTests();
const SCRIPT = fileURLToPath(new URL('outsider.mjs', import.meta.url));
const vkey = signers[0]?.vkey ?? '';

it('somebody who has nothing but the documented format verifies an export', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'audit.jsonl');
  await seed(redis(), 60);
  const older = await sealNew(redis(), { signers, auditDays: AUDIT_DAYS });
  await append(redis(), refOf(100));
  for (const wanted of [{}, { filters: { ref: refOf(7) }, after: older?.note ?? '' }]) {
    const text = await exported(redis(), wanted);
    await writeFile(file, text);
    const entries = Object.hasOwn(wanted, 'filters') ? 5 : 306;
    expect(String(execFileSync(process.execPath, [SCRIPT, file, vkey]))).toBe(
      `${entries} entries are what was sealed.\n`,
    );
    await writeFile(file, text.replace('"verdict":"approve"', '"verdict":"reject"'));
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, file, vkey], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('the bytes were changed');
  }
});

it('has at most 100 lines, and nothing of the product', () => {
  const script = readFileSync(SCRIPT, 'utf8');
  expect(script.split('\n').length - 1).toBeLessThanOrEqual(100);
  const imports = [...script.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  expect(imports).toEqual(['node:crypto', 'node:fs']);
});
