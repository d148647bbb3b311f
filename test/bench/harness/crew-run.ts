import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { headerOf } from '../../crew/crew-values.ts';
import { kickoffId } from '../stubs/crew.ts';
import { monotonicMs } from '../stubs/state.ts';
import type { Bot } from './bot.ts';
import { readCard } from './cards.ts';
import { approvingClick, kickoffCommand } from './clicks.ts';
import { prose } from './prose.ts';
import { closedLoop } from './requests.ts';
import type { Stubs } from './stubs.ts';

/** How an execution goes. */
export interface Course {
  tasks: number;
  stepsEach: number;
  /** The tasks that ask for an approval at their end, counted from 0. */
  asking: readonly number[];
  /** Without the time that the approver takes. */
  seconds: number;
}

/** What came of one execution. */
export interface CrewRun {
  /** From each request for human input to its card, in milliseconds. */
  cardsMs: number[];
}

const ADDRESSES = z.object({
  execution_id: z.string().optional(),
  task_id: z.string().optional(),
  inputs: z.object({ topic: z.string() }).optional(),
  humanInputWebhook: z.object({
    url: z.string(),
    authentication: z.object({ strategy: z.literal('bearer'), token: z.string() }),
  }),
  taskWebhookUrl: z.string(),
  stepWebhookUrl: z.string(),
  crewWebhookUrl: z.string(),
});

type Addresses = z.infer<typeof ADDRESSES>;

const LOOK_MS = 50;

/** Starts an execution by command and plays its crew; a person approves each card as soon as it is there. */
export async function playCrew(bot: Bot, stubs: Stubs, course: Course, number: number): Promise<CrewRun> {
  const topic = `tea-${number}`;
  const [started] = await closedLoop(bot.port, [kickoffCommand(`${bot.crew.name} topic=${topic}`, number)], 1);
  if (started?.status !== 200) throw new Error(`the command was answered ${started?.status}`);
  let addresses = await addressesWhere(stubs, ({ inputs }) => inputs?.topic === topic);
  const execution_id = kickoffId(topic);
  const run: CrewRun = { cardsMs: [] };
  const stepMs = (course.seconds * 1_000) / (course.tasks * course.stepsEach);
  for (let task = 0; task < course.tasks; task++) {
    await stubs.progress(execution_id, task, course.tasks);
    const agent = `Agent ${task}`;
    const task_id = `draft-9${number}${task}`;
    for (let step = 0; step < course.stepsEach; step++) {
      await pause(stepMs);
      const result = { thought: `Step ${step}`, tool: 'search', tool_input: 'tea', result: prose(500, step) };
      await notify(addresses.stepWebhookUrl, { execution_id, task_id, agent, ...result });
    }
    const task_output = `${task_id}. ${prose(1_000, task)}`;
    const facts = { status: 'completed', name: `task ${task}`, agent, execution_time: 9 };
    await notify(addresses.taskWebhookUrl, { execution_id, task_id, ...facts, task_output });
    if (!course.asking.includes(task)) continue;
    const asked = { execution_id, task_id, task_output };
    const decided = await askAndApprove(bot, stubs, { addresses, asked });
    run.cardsMs.push(decided.cardMs);
    addresses = decided.addresses;
  }
  await notify(addresses.crewWebhookUrl, { execution_id, status: 'completed', result: prose(1_000, number) });
  return run;
}

async function askAndApprove(
  bot: Bot,
  stubs: Stubs,
  { addresses, asked }: { addresses: Addresses; asked: { execution_id: string; task_id: string; task_output: string } },
) {
  const { url, authentication } = addresses.humanInputWebhook;
  const askedAt = monotonicMs();
  await notify(url, asked, headerOf(authentication));
  const card = await found(async () => (await stubs.posted()).find(({ draft }) => draft === asked.task_id));
  const [clicked] = await closedLoop(bot.port, [approvingClick(readCard(card))], 1);
  if (clicked?.status !== 200) throw new Error(`the click was answered ${clicked?.status}`);
  const next = await addressesWhere(stubs, ({ task_id }) => task_id === asked.task_id);
  return { cardMs: card.at - askedAt, addresses: next };
}

/** What the kickoff or the resume that this is true for says about webhooks. */
function addressesWhere(stubs: Stubs, isWanted: (addresses: Addresses) => boolean): Promise<Addresses> {
  return found(async () => {
    const bodies = await stubs.addresses();
    return bodies.map((body) => ADDRESSES.parse(JSON.parse(body))).find(isWanted);
  });
}

/** @throws after a minute */
async function found<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await pause(LOOK_MS)) {
    const it = await look();
    if (it !== undefined) return it;
  }
  throw new Error('waited in vain for a card, a kickoff or a resume');
}

/** Sends a webhook as a crew service does: again, until it is taken. */
async function notify(url: string, payload: object, authorization?: string): Promise<void> {
  const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
  for (let tries = 0; tries < 20; tries++) {
    const { statusCode, body } = await request(url, { method: 'POST', headers, body: JSON.stringify(payload) });
    await body.dump();
    if (statusCode === 200) return;
    await pause(500);
  }
  throw new Error(`a webhook was never taken: ${url}`);
}
