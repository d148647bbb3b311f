import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../../src/config/config.ts';
import { examine } from '../../../src/tools/doctor/examine.ts';
import { findingLine, summary } from '../../../src/tools/doctor/finding.ts';
import { programPath } from '../../support/program-path.ts';

const CHECKOUT = resolve(fileURLToPath(new URL('../../..', import.meta.url)));

export interface Diagnosis {
  lines: string[];
  /** The line about a subject, such as `Redis persistence`. */
  about(what: string): string;
}

/** What the command finds with these settings, which must be valid. */
export async function diagnose(env: Record<string, string>): Promise<Diagnosis> {
  const config = readConfig(env);
  if (!config.ok) throw new Error(config.refusal.join('\n'));
  const told: string[] = [];
  const manifest = readFileSync(resolve(CHECKOUT, 'manifest.yml'), 'utf8');
  const findings = await examine(config.value, manifest, (finding) => told.push(findingLine(finding)));
  return diagnosis([...told, summary(findings)]);
}

/** Runs the command as an operator does, with nothing but these settings. */
export function runDoctor(env: Record<string, string>): Promise<Diagnosis & { code: number; errors: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [programPath('doctor')], { env }, (error, out, errors) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      done({ ...diagnosis(out.trimEnd().split('\n')), code, errors });
    });
  });
}

function diagnosis(lines: string[]): Diagnosis {
  const isAbout = (line: string, what: string) => line.slice(2).startsWith(`${what}: `);
  return { lines, about: (what) => lines.find((line) => isAbout(line, what)) ?? `nothing about ${what}` };
}
