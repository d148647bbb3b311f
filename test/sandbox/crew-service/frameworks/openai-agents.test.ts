import { RunState, run } from '@openai/agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Crew } from '../../../../src/sandbox/crew-service/coded-crew.ts';
import type { Question } from '../../../../src/sandbox/crew-service/crew-description.ts';
import { fromOpenAIAgents } from '../../../../src/sandbox/crew-service/frameworks/openai-agents.ts';
import { type Moment, workThrough } from './power-cuts.ts';
import { refundAgent } from './refunds.ts';

const inputs = { order: z.string() };

/** Approves what is 20 or less, with the power cut at one moment. */
async function play(moment?: Moment) {
  const paid: string[] = [];
  const story = await workThrough({
    moment,
    inputs: { order: 'A-1' },
    crew: (line) => {
      const agent = refundAgent({
        pay: (call) => line.do(() => void paid.push(call)),
        think: (answer) => line.do(() => answer),
      });
      return fromOpenAIAgents(agent, {
        name: 'support',
        inputs,
        input: ({ order }) => `Refund ${order}`,
        run,
        RunState,
      });
    },
    decide: ({ output }) => (/"amount": 30/.test(`${output}`) ? REJECTED : APPROVED),
  });
  return { ...story, paid };
}

const REJECTED = { approved: false, text: 'Too much.' };
const APPROVED = { approved: true, text: 'Approved.' };

const asked = [20, 30, 15].map((amount) => ['refund', 'Support', `refund \`{ "order": "A-1", "amount": ${amount} }\``]);

describe('an agent as a crew', () => {
  it('asks people for approval of its tool calls, one after another, and tells the model why one was rejected', async () => {
    const { questions, output, paid } = await play();
    expect(questions.map(({ name, agent, output }) => [name, agent, output])).toEqual(asked);
    expect(output).toBe('A-1: 50 EUR, paid 20, Too much., paid 15');
    expect(paid).toEqual(['A-1: 20', 'A-1: 15']);
    expect(questions.map(({ call, calls }) => [call, calls.map(({ id }) => id)])).toEqual([
      ['c2', ['c2', 'c3']],
      ['c3', ['c3']],
      ['c4', ['c4']],
    ]);
  });

  it('makes no call more often than it was approved, wherever the power is cut', async () => {
    const undisturbed = await play();
    const seen = { undisturbed: 0, askedAgain: 0 };
    for (const when of ['before', 'after'] as const)
      for (let at = 1; ; at++) {
        const { output, error, wasCut, paid, questions } = await play({ at, when });
        if (!wasCut) break;
        expect([at, when, error, output]).toEqual([at, when, undefined, undisturbed.output]);
        const again = questions.filter(({ output }) => `${output}`.startsWith('It may have been made already'));
        seen[again.length > 0 ? 'askedAgain' : 'undisturbed']++;
        expect(questions.length).toBe(asked.length + again.length);
        expect(paid.length).toBeLessThanOrEqual(undisturbed.paid.length + again.length);
        expect([...new Set(paid)]).toEqual(undisturbed.paid);
      }
    // For each approved call: once its approval is stored, and before anything else is.
    expect(seen).toEqual({ undisturbed: 20, askedAgain: 8 });
  });

  it.each([
    ['{"to":"a`b"}', 'send ``{ "to": "a`b" }``'],
    ['{"text":"one\\n```\\ntwo"}', 'send ````{ "text": "one\\n```\\ntwo" }````'],
    [`{"text":"${'x'.repeat(120)}"}`, `send\n\`\`\`json\n{\n  "text": "${'x'.repeat(120)}"\n}\n\`\`\``],
    ['no JSON\n```', 'send ````"no JSON\\n```"````'],
    [undefined, 'send `""`'],
  ])('shows the arguments %j as code that nothing in them ends', async (given, output) => {
    const call = { name: 'send', arguments: given, agent: { name: 'A' }, rawItem: { callId: 'c1' } };
    const state = { getInterruptions: () => [call], approve() {}, reject() {}, toString: () => 'state' };
    const crew = () =>
      fromOpenAIAgents(
        { name: 'A' },
        {
          ...{ name: 'a', inputs: {}, input: () => '', RunState: { fromString: async () => state } },
          run: async () => ({ interruptions: [call], state }),
        },
      );
    const [question] = await firstOf(crew);
    expect(question).toMatchObject({ name: 'send', output });
  });
});

/** What a crew asks first. */
async function firstOf(crew: () => Crew) {
  const asked: Question[] = [];
  const decide = (question: Question) => {
    asked.push(question);
    throw new Error('enough');
  };
  await workThrough({ moment: undefined, inputs: {}, crew, decide });
  return asked;
}
