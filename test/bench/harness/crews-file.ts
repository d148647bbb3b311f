import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../../../src/core/values/json.ts';

/** Writes a crews file, which is there until this process ends. @returns its path */
export function writeCrewsFile(crews: readonly Json[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'signoff-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'crews.yml');
  // JSON is YAML, too.
  writeFileSync(path, JSON.stringify({ crews }));
  return path;
}
