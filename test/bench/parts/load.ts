import { clickBurst } from '../../load/click-burst.ts';
import { memory } from '../../load/memory.ts';
import { oneChannel } from '../../load/one-channel.ts';
import { sharing } from '../../load/sharing.ts';
import { stepFlood } from '../../load/step-flood.ts';
import type { Figure } from '../figures.ts';

// Loads on the bot with the real crew service and workspace of the sandbox, and without baselines.

export const clicks = () => figuresOf(clickBurst({ executions: 1_000, approvalsEach: 10, clicks: 500 }));
export const steps = () => figuresOf(stepFlood({ steps: 5_000, perMinute: 5_000 }));
export const heap = () => figuresOf(memory({ rounds: 10, executionsEach: 100, mostHeapMb: 96 }));
export const two = () => figuresOf(sharing({ bots: 2, executions: 300 }));
export const four = () => figuresOf(sharing({ bots: 4, executions: 300 }));
export const entry = () => figuresOf(sharing({ bots: 4, executions: 300, entryBots: 1 }));
export const channel = () => figuresOf(oneChannel({ executions: 200 }));

const MORE_IS_BETTER = ['acknowledged', 'delivered', 'accepted', 'crewRatio', 'slackRatio', 'showTheEnd'];

/** Numbers as they are; of several, such as one a bot, the mean, with all of them in the note. */
async function figuresOf(outcome: Promise<object>): Promise<Figure[]> {
  return Object.entries(await outcome).map(([name, value]) => {
    const values = [value].flat().map(Number);
    const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
    const better = MORE_IS_BETTER.includes(name) ? 'more' : 'less';
    return { name, value: mean, unit: '', better, ...(values.length > 1 && { note: values.join(' ') }) };
  });
}
