import { readConfig } from './config/config.ts';
import { answerPolicyCommand, type CommandAnswer } from './doctor/policy/explain.ts';
import { createSlackLookUp } from './doctor/policy/slack-look-up.ts';

/** `npm run policy -- explain`: who decides for a crew, where that stands, and what it means for a person. */
async function answer(env: NodeJS.ProcessEnv, args: string[]): Promise<CommandAnswer> {
  const config = readConfig(env);
  if (config.ok) return answerPolicyCommand(config.value, args, createSlackLookUp(config.value));
  return { text: ['The settings are incomplete:', ...config.refusal].join('\n- '), isError: true };
}

const { text, isError } = await answer(process.env, process.argv.slice(2));
(isError ? console.error : console.log)(text);
process.exitCode = isError ? 1 : 0;
