import { readFileSync } from 'node:fs';
import { readConfig } from '../../config/config.ts';
import { whereToBegin } from '../../config/environment.ts';
import { parseOptions, readCommandLine, UsageError } from '../../setup/usage.mjs';
import { examine } from './examine.ts';
import { type Finding, findingLine, summary, wrong } from './finding.ts';
import { type Trial, trialWarning, tryApproval } from './try-approval.ts';

/** The directory above dist/doctor.js, into which this module is bundled. */
const CHECKOUT = new URL('../', import.meta.url);

const OPTIONS = {
  'try-approval': { type: 'string' },
  input: { type: 'string', multiple: true },
  yes: { type: 'boolean' },
} as const;

/** Carries out `npm run doctor`: prints a line for each finding. The exit code is 1 if one is wrong. */
async function diagnose(env: NodeJS.ProcessEnv, trial: Trial | null): Promise<readonly Finding[]> {
  const report = (finding: Finding) => console.log(findingLine(finding));
  const config = readConfig(env);
  if (config.ok && trial) return tryApproval(config.value, trial, report);
  if (config.ok) return examine(config.value, readFileSync(new URL('manifest.yml', CHECKOUT), 'utf8'), report);
  const problems = [...whereToBegin(env, CHECKOUT), ...config.refusal];
  const findings = problems.map((problem) => wrong('Settings', problem, null));
  for (const finding of findings) report(finding);
  console.log('Fix these first; then run this again to check the rest.');
  return findings;
}

const { trial, isAgreed } = readCommandLine('dist/doctor.js', (args) => {
  const { 'try-approval': crew, input: inputs = [], yes: isAgreed = false } = parseOptions(args, OPTIONS).values;
  if (crew === undefined && (inputs.length > 0 || isAgreed)) throw new UsageError('Give --try-approval CREW.');
  return { trial: crew === undefined ? null : { crew, inputs }, isAgreed };
});
if (trial && !isAgreed) {
  console.error(trialWarning(trial));
  process.exit(2);
}

const findings = await diagnose(process.env, trial);
console.log(summary(findings));
process.exitCode = findings.some(({ mark }) => mark === 'wrong') ? 1 : 0;
