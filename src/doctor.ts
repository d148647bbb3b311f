import { readFileSync } from 'node:fs';
import { readConfig } from './config/config.ts';
import { whereToBegin } from './config/environment.ts';
import { examine } from './doctor/examine.ts';
import { type Finding, findingLine, summary, wrong } from './doctor/finding.ts';
import { parseOptions, readCommandLine } from './setup/usage.mjs';

const CHECKOUT = new URL('../', import.meta.url);

/** `npm run doctor`: one line for each thing that the bot depends on, once the settings are valid. Exits with 1 if one is wrong. */
async function diagnose(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const report = (finding: Finding) => console.log(findingLine(finding));
  const config = readConfig(env);
  if (config.ok) return examine(config.value, readFileSync(new URL('manifest.yml', CHECKOUT), 'utf8'), report);
  const problems = [...whereToBegin(env, CHECKOUT), ...config.refusal];
  const findings = problems.map((problem) => wrong('Settings', problem, null));
  for (const finding of findings) report(finding);
  console.log('Fix these first; then run this again to check the rest.');
  return findings;
}

readCommandLine('dist/doctor.js', (args) => parseOptions(args, {}));

const findings = await diagnose(process.env);
console.log(summary(findings));
process.exitCode = findings.some(({ mark }) => mark === 'wrong') ? 1 : 0;
