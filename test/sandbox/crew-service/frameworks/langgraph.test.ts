import { randomInt } from 'node:crypto';
import { Annotation, Command, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fromLangGraph } from '../../../../src/sandbox/crew-service/frameworks/langgraph.ts';
import { TRIES_ALL } from '../../../support/sample.ts';
import { type Answer, newsletterGraph } from './graphs.ts';
import { type Lifeline, type Moment, workThrough } from './power-cuts.ts';

/** What stays when the power is cut. */
class Disk extends MemorySaver {
  readonly #line: Lifeline;

  constructor(line: Lifeline, kept: MemorySaver) {
    super();
    this.#line = line;
    this.storage = kept.storage;
    this.writes = kept.writes;
  }

  override put(...given: Parameters<MemorySaver['put']>) {
    return this.#line.do(() => super.put(...given));
  }

  override putWrites(...given: Parameters<MemorySaver['putWrites']>) {
    return this.#line.do(() => super.putWrites(...given));
  }
}

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
