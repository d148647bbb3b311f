import { randomInt } from 'node:crypto';
import { Annotation, Command, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fromLangGraph, type InterruptDecision } from '../../../../src/sandbox/crew-service/frameworks/langgraph.ts';
import { TRIES_ALL } from '../../../support/sample.ts';
import { Disk } from './disk.ts';
import { type Answer, newsletterGraph } from './graphs.ts';
import { type Moment, workThrough } from './power-cuts.ts';

/** Plays the newsletter, with the power cut at one moment. Resolves to what it heard and was asked. */
async function play(moment?: Moment) {
  const kept = new MemorySaver();
  return workThrough({
    moment,
    inputs: { topic: 'tea' },
    crew: (line) =>
      fromLangGraph(newsletterGraph(new Disk(line, kept)), { name: 'news', inputs: { topic: z.string() }, Command }),
    decide: ({ output }, round) => ({
      approved: !(round === 1 && `${output}`.includes('draft 1')),
      text: `on ${output}`,
    }),
  });
}

const asked = [
  ['review', 'About tea, draft 1'],
  ['review', 'About tea, draft 2'],
  ['review', 'Title for: About tea, draft 2'],
  ['layout', 'Two columns?'],
  ['links', 'Three links?'],
  ['mailing/confirm', 'Send to everybody?'],
  ['mailing/confirm', '{\n  "at": "noon",\n  "to": "on Send to everybody?"\n}'],
];

/** Each question with its own answer. */
const HEARD = [
  '"About tea, draft 1": no, on About tea, draft 1',
  '"About tea, draft 2": yes, on About tea, draft 2',
  '"Title for: About tea, draft 2": yes, on Title for: About tea, draft 2',
  '"Two columns?": yes, on Two columns?',
  '"Three links?": yes, on Three links?',
  '"Send to everybody?": yes, on Send to everybody?',
  '{"at":"noon","to":"on Send to everybody?"}: yes, on {\n  "at": "noon",\n  "to": "on Send to everybody?"\n}',
];

describe('a graph as a crew', () => {
  it('asks people what it interrupts for, by node and one after another, and gets each answer', async () => {
    const { questions, output } = await play();
    expect(questions.map(({ name, output }) => [name, output])).toEqual(asked);
    expect(output).toEqual({ topic: 'tea', text: 'About tea, draft 2', heard: HEARD });
  });

  it('gives no decision twice and none to another question, wherever the power is cut', async () => {
    const undisturbed = await play();
    const [first, every] = TRIES_ALL ? [1, 1] : [randomInt(1, 5), 4];
    let cuts = 0;
    for (const when of ['before', 'after'] as const)
      for (let at = first; ; at += every) {
        const { output, error, wasCut, questions } = await play({ at, when });
        if (!wasCut) break;
        cuts++;
        expect([at, when, error, output]).toEqual([at, when, undefined, undisturbed.output]);
        expect(questions.map(({ name, output }) => [name, output])).toEqual(asked);
      }
    expect(cuts).toBeGreaterThan(TRIES_ALL ? 60 : 60 / every - 2);
  });

  it('asks again if what it asks has changed when it goes on after a power cut', async () => {
    let executed = 0;
    const fickle = (checkpointer: MemorySaver) =>
      new StateGraph(Annotation.Root({ said: Annotation<Answer>() }))
        .addNode('ask', () => ({ said: interrupt(`Draft ${++executed}`) }))
        .addEdge(START, 'ask')
        .compile({ checkpointer });
    const story = (moment: Moment) => {
      const kept = new MemorySaver();
      return workThrough({
        ...{ moment, inputs: {} },
        crew: (line) =>
          fromLangGraph(fickle(new Disk(line, kept)), {
            ...{ name: 'fickle', inputs: {}, Command },
            input: () => ({ said: undefined }),
            output: ({ said }) => said,
          }),
        decide: ({ output }) => ({ approved: true, text: `on ${output}` }),
      });
    };
    const stories = [];
    for (let at = 1; stories.at(-1)?.wasCut !== false; at++) stories.push(await story({ at, when: 'before' }));
    for (const { output, questions } of stories)
      expect(output).toMatchObject({ feedback: `on ${questions.at(-1)?.output}` });
    expect(stories.filter(({ questions }) => questions.length === 2).length).toBeGreaterThan(0);
  });

  /** What a node hears that asks `question`, and what people are shown. */
  async function hear(question: unknown, options: { answer?: (decision: InterruptDecision) => unknown } = {}) {
    const graph = new StateGraph(Annotation.Root({ said: Annotation<unknown>() }))
      .addNode('ask', () => ({ said: [interrupt(question)] }))
      .addEdge(START, 'ask')
      .compile({ checkpointer: new MemorySaver() });
    const crew = () =>
      fromLangGraph(graph, {
        ...{ name: 'asking', inputs: {}, Command, ...options },
        input: () => ({ said: undefined }),
        output: ({ said }) => said,
      });
    const decide = () => ({ approved: true, text: 'Fine.' });
    const { output, error, questions } = await workThrough({ moment: undefined, inputs: {}, crew, decide });
    return { heard: output, error, shown: questions.map(({ output }) => output) };
  }

  it('tells a node what people were asked, so that it can check that it does just that', async () => {
    const question = { pay: { to: 'Ada', amount: 20 } };
    expect(await hear(question)).toMatchObject({
      heard: [{ approved: true, feedback: 'Fine.', asked: question }],
      shown: [JSON.stringify(question, null, 2)],
    });
  });

  it('resumes the graph with what `answer` makes of the decision', async () => {
    const answer = ({ approved, feedback, asked }: InterruptDecision) => [approved, feedback, asked];
    expect(await hear('Now?', { answer })).toMatchObject({ heard: [[true, 'Fine.', 'Now?']] });
    for (const value of [null, false, '', 0])
      expect(await hear('Now?', { answer: () => value })).toMatchObject({ heard: [value] });
    for (const answer of [() => undefined, async () => undefined]) {
      const refused = await hear('Now?', { answer });
      expect(String(refused.error)).toContain('The `answer` of the crew "asking" has returned nothing');
    }
  });

  it('waits for an `answer` that takes its time', async () => {
    const answer = async ({ approved }: InterruptDecision) => approved;
    expect(await hear('Now?', { answer })).toMatchObject({ heard: [true] });
  });

  it('is told the decision as it is about what only resembles a review of tool calls', async () => {
    const actionRequests = [{ name: 'pay', args: { amount: 20 } }];
    for (const reviewConfigs of [[], [{ actionName: 'refund', allowedDecisions: ['approve'] }]]) {
      const asked = { actionRequests, reviewConfigs };
      expect(await hear(asked)).toMatchObject({ heard: [{ approved: true, asked }] });
    }
  });

  it('shows all of what it asks, also what JSON has no form for', async () => {
    const { shown, heard } = await hear({ prices: new Map([['tea', 3]]), seats: new Set([1, 2]), to: undefined });
    const asked = { prices: { tea: 3 }, seats: [1, 2], to: null };
    expect(shown).toEqual([JSON.stringify(asked, null, 2)]);
    expect(heard).toMatchObject([{ asked }]);
  });

  it('needs a checkpointer, and says what it waits for if that is no interrupt', async () => {
    const graph = new StateGraph(Annotation.Root({ said: Annotation<string>() }))
      .addNode('work', () => ({}))
      .addEdge(START, 'work');
    expect(() => fromLangGraph(graph.compile(), { name: 'a', inputs: {}, Command })).toThrow('needs a checkpointer');
    const stopping = graph.compile({ checkpointer: new MemorySaver(), interruptBefore: ['work'] });
    const crew = () => fromLangGraph(stopping, { name: 'a', inputs: {}, Command, input: () => ({ said: 'x' }) });
    const decide = () => ({ approved: true, text: '' });
    const { error } = await workThrough({ moment: undefined, inputs: {}, crew, decide });
    expect(String(error)).toContain('stopped at work without interrupt(value)');
  });
});
