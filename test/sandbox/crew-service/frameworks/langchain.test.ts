import { Annotation, Command, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Crew } from '../../../../src/sandbox/crew-service/coded-crew.ts';
import { fromLangGraph } from '../../../../src/sandbox/crew-service/frameworks/langgraph.ts';
import { startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { freePort } from '../../../../src/setup/free-port.ts';
import { sharedRedis } from '../../shared.ts';
import { type ConversationRun, converse } from '../conversation.ts';
import { sharedReceiver } from '../webhook-receiver.ts';
import { Disk } from './disk.ts';
import { REFUND, refundAgent } from './langchain-agents.ts';
import { type Moment, workThrough } from './power-cuts.ts';

const token = 'org-token';
const APPROVE = { approved: true, text: 'Approved.' };
const REJECT = { approved: false, text: 'Too much.' };
const edits = (text: string) => ({ approved: true, text: `Approved with these edits:\n${text}` });

const redis = sharedRedis();
const receiver = sharedReceiver();
let paid: number[];
let checkpointer: MemorySaver;

beforeEach(async () => {
  await redis.flush();
  [paid, checkpointer] = [[], new MemorySaver()];
});

type AgentOptions = Partial<Parameters<typeof refundAgent>[0]>;

function refunds(options: AgentOptions = {}): Crew {
  const agent = refundAgent({ checkpointer, pay: (amount) => void paid.push(amount), ...options });
  return fromLangGraph(agent, {
    ...{ name: 'refunds', inputs: { order: z.string() }, Command },
    input: ({ order }) => ({ messages: [{ role: 'user', content: `Refund ${order}` }] }),
    output: ({ messages }) => messages.at(-1)?.text,
  });
}

/** Serves a crew until `then` is through, and starts a run of it. */
async function play(crew: Crew, then: (parts: Parts) => Promise<void>) {
  const port = await freePort();
  const start = () =>
    startCrewService({ crews: [crew], port, tokens: { organisation: token }, redisUrl: redis.socketPath });
  let service = await start();
  try {
    const talk = converse({ service, receiver, dialect: 'spec', token });
    const run = await talk.start(crew.name, { order: 'A-1' });
    await then({
      run,
      result: () => talk.resultOf(crew.name, run.kickoffId),
      async restart() {
        await service.close();
        service = await start();
      },
    });
  } finally {
    await service.close();
  }
}

type Allowed = 'approve' | 'edit' | 'reject';
type Verdict = { readonly approved: boolean; readonly text: string };
type Parts = { readonly run: ConversationRun; result(): Promise<unknown>; restart(): Promise<void> };

/** A call as people see it. */
const call = (amount: number, why?: string) =>
  JSON.stringify({ name: 'refund', args: { order: 'A-1', amount }, ...(why && { why }) }, null, 2);

async function ask(
  run: ConversationRun,
  count: number,
  decision: { approved: boolean; text: string },
): Promise<[unknown, unknown]> {
  const pause = await run.pause(count);
  await run.resume(pause, decision);
  return [pause.body.task_id, pause.body.task_output];
}

describe('an agent of LangChain with its own human in the loop', () => {
  it('asks about each tool call that waits, in their order, and makes those that were approved', async () => {
    await play(refunds(), async ({ run, result }) => {
      expect(await ask(run, 1, APPROVE)).toEqual(['refund', call(20)]);
      expect(paid).toEqual([]);
      expect(await ask(run, 2, APPROVE)).toEqual(['refund-2', call(30)]);
      expect(await result()).toBe('paid 20, paid 30');
    });
    expect(paid).toEqual([20, 30]);
  });

  it('tells the model why a call was rejected, makes none of those that waited with it, and asks again in the next round', async () => {
    await play(refunds(), async ({ run, result }) => {
      await ask(run, 1, APPROVE);
      await ask(run, 2, REJECT);
      expect(await ask(run, 3, APPROVE)).toEqual(['refund-2', call(20)]);
      expect(paid).toEqual([]);
      expect(await ask(run, 4, APPROVE)).toEqual(['refund-3', call(15)]);
      expect(await result()).toBe('Too much., paid 20, paid 15');
    });
    expect(paid).toEqual([20, 15]);
  });

  it('makes an edited call as it was edited', async () => {
    await play(refunds({ amounts: [20] }), async ({ run, result }) => {
      await ask(run, 1, edits(call(12)));
      expect(await result()).toBe('paid 12');
    });
    expect(paid).toEqual([12]);
  });

  describe.each([
    ['zod', REFUND],
    // As tools of MCP servers have it.
    ['JSON Schema', JSON.parse(JSON.stringify(z.toJSONSchema(REFUND)))],
  ])('whose tool says in %s what it takes', (_, schema) => {
    it.each([
      ['{"name":"refund"', 'The edited text is no JSON.'],
      ['{"name":"refund","amount":12}', 'The edited text must be JSON with name and args, as it was.'],
      ['{"name":"transfer","args":{"order":"A-1","amount":12}}', 'Edits can’t name another tool.'],
      ['{"name":"refund","args":{"order":"A-1","amount":12,"to":"Eve"}}', 'to is no argument of refund.'],
      ['{"name":"refund","args":{"order":"A-1","amount":"much"}}', 'amount: Invalid input'],
      ['{"name":"refund","args":{"order":"A-1"}}', 'amount: Invalid input'],
      ['{"name":"refund","args":{"order":"A-1","amount":1e999}}', 'amount: Invalid input'],
    ])('asks again, with the reason, if the edited call can’t be made: %s', async (edited, reason) => {
      await play(refunds({ amounts: [20], schema }), async ({ run, result }) => {
        await ask(run, 1, edits(edited));
        const again = await run.pause(2);
        const { why, ...asked } = JSON.parse(`${again.body.task_output}`);
        expect(asked).toEqual({ name: 'refund', args: { order: 'A-1', amount: 20 } });
        expect(why).toContain(`The answer can’t be used: ${reason}`);
        expect(why).toContain('Nothing has been called yet.');
        expect(paid).toEqual([]);
        await run.resume(again, APPROVE);
        expect(await result()).toBe('paid 20');
      });
      expect(paid).toEqual([20]);
    });
  });

  it.each<[Allowed[], Verdict, string]>([
    [['approve', 'reject'], edits(call(12)), 'The tool takes no edits.'],
    [['approve', 'edit'], REJECT, 'The tool refund takes no rejection.'],
    [['edit', 'reject'], APPROVE, 'The tool takes no approval without edits.'],
  ])('where a tool allows only %j, another decision is asked again', async (allowed, decision, reason) => {
    const interruptOn = { refund: { allowedDecisions: allowed, description: 'The customer is angry.' } };
    await play(refunds({ amounts: [20], interruptOn }), async ({ run, result }) => {
      expect(await ask(run, 1, decision)).toEqual(['refund', call(20, 'The customer is angry.')]);
      const words = JSON.parse(`${(await run.pause(2)).body.task_output}`).why;
      expect(words).toContain(reason);
      expect(words).toContain('The customer is angry.');
      await ask(run, 2, allowed.includes('approve') ? APPROVE : edits(call(12)));
      expect(await result()).toContain('paid');
    });
  });

  it('asks nothing twice and takes what was decided after the service was started again', async () => {
    await play(refunds(), async ({ run, result, restart }) => {
      await run.pause(1);
      await restart();
      await ask(run, 1, APPROVE);
      await run.pause(2);
      await restart();
      expect(await ask(run, 2, edits(call(25)))).toEqual(['refund-2', call(30)]);
      expect(await result()).toBe('paid 20, paid 25');
      const told = receiver.all().filter(({ body }) => body.execution_id === run.kickoffId);
      expect(new Set(told.map(({ body }) => body.task_id)).size).toBe(told.length);
    });
    expect(paid).toEqual([20, 25]);
  });

  it('keeps apart agents that wait at the same time, and an interrupt beside them', async () => {
    const State = Annotation.Root({
      heard: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
    });
    const agents = ['A-1', 'B-2'].map((order) =>
      refundAgent({
        checkpointer: new MemorySaver(),
        pay: (amount) => void paid.push(amount),
        amounts: [20, 30],
        order,
      }),
    );
    const node = (index: number) => async () => {
      const state = await agents[index]?.graph.invoke({ messages: [{ role: 'user', content: 'Go' }] });
      return { heard: [`${index}: ${state?.messages.at(-1)?.text}`] };
    };
    for (const agent of agents) agent.graph.checkpointer = true;
    const graph = new StateGraph(State)
      .addNode('first', node(0))
      .addNode('second', node(1))
      .addNode('plain', () => ({ heard: [interrupt<string, { feedback: string }>('Fine?').feedback] }))
      .addEdge(START, 'first')
      .addEdge(START, 'second')
      .addEdge(START, 'plain')
      .compile({ checkpointer });
    const crew = fromLangGraph(graph, {
      ...{ name: 'both', inputs: { order: z.string() }, Command },
      input: () => ({ heard: [] }),
      output: ({ heard }) => heard.toSorted(),
    });
    await play(crew, async ({ run, result, restart }) => {
      const asked = new Set<string>();
      for (let count = 1; count <= 5; count++) {
        const pause = await run.pause(count);
        const text = `${pause.body.task_output}`;
        asked.add(text.replaceAll(/\s/g, ''));
        if (count === 3) await restart();
        await run.resume(pause, { approved: true, text: 'Yes.' });
      }
      expect(asked.size).toBe(5);
      expect(await result()).toEqual(['0: paid 20, paid 30', '1: paid 20, paid 30', 'Yes.']);
    });
    expect(paid.toSorted()).toEqual([20, 20, 30, 30]);
  });

  it('calls nothing that was not approved, wherever the power is cut', async () => {
    const story = async (moment?: Moment) => {
      const kept = new MemorySaver();
      const made: number[] = [];
      const told = await workThrough({
        ...{ moment, inputs: { order: 'A-1' } },
        crew: (line) =>
          refunds({ checkpointer: new Disk(line, kept), pay: (amount) => line.do(() => void made.push(amount)) }),
        decide: ({ output }) => (`${output}`.includes('30') ? REJECT : APPROVE),
      });
      return { ...told, made };
    };
    const undisturbed = await story();
    expect(undisturbed).toMatchObject({ error: undefined, output: 'Too much., paid 20, paid 15', made: [20, 15] });
    let cuts = 0;
    for (const when of ['before', 'after'] as const)
      for (let at = 1; ; at += 3) {
        const { output, error, wasCut, questions, made } = await story({ at, when });
        if (!wasCut) break;
        cuts++;
        expect([at, when, error, output]).toEqual([at, when, undefined, undisturbed.output]);
        expect(questions.map((one) => one.output)).toEqual(undisturbed.questions.map((one) => one.output));
        expect([...new Set(made)].toSorted()).toEqual([15, 20]);
      }
    expect(cuts).toBeGreaterThan(10);
  });
});
