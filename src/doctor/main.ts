import { readFileSync } from 'node:fs';
import { readConfig } from '../config/config.ts';
import { examine } from './examine.ts';
import { type Finding, findingLine, summary, wrong } from './finding.ts';

/** `npm run doctor`: a line for everything that the bot lives among, once the settings are whole. Ends with 1 where something is wrong. */
async function diagnose(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const tell = (finding: Finding) => console.log(findingLine(finding));
  const config = readConfig(env);
  if (config.ok)
    return examine(config.value, readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8'), tell);
  const findings = config.refusal.map((problem) => wrong('Settings', problem, null));
  for (const finding of findings) tell(finding);
  console.log('The rest can be looked at when these are right.');
  return findings;
}

const findings = await diagnose(process.env);
console.log(summary(findings));
process.exitCode = findings.some(({ mark }) => mark === 'wrong') ? 1 : 0;
