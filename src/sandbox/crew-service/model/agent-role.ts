import type { TaskDescription } from '../crew-description.ts';

type Described = Pick<TaskDescription, 'agent' | 'role' | 'goal' | 'description' | 'expectedOutput'>;

/** What a model is told about the agent that it is, and about its task. */
export function agentRole({ agent, role, goal, description, expectedOutput }: Described): string {
  return [
    role === '' ? `You are ${agent}.` : `You are ${agent}: ${role}`,
    ...(goal === '' ? [] : [`Your goal: ${goal}`]),
    ...(description === '' ? [] : [`Your task: ${description}`]),
    ...(expectedOutput === '' ? [] : [`What you hand on: ${expectedOutput}`]),
  ].join('\n');
}
