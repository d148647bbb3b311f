import { setTimeout as pause } from 'node:timers/promises';
import type { Bot } from './bot.ts';
import { type Card, readCard } from './cards.ts';
import { prose } from './prose.ts';
import { closedLoop, type Post } from './requests.ts';
import type { Stubs } from './stubs.ts';

/** An output of the usual size, about three pages. */
const OUTPUT_BYTES = 4_096;
const LANES = 32;

let drafts = 0;

/** A request for human input of an execution started elsewhere. */
export interface Asked {
  executionId: string;
  taskId: string;
  post: Post;
}

/** Requests with texts of their own, this many for each execution. */
export function newRequests(bot: Bot, count: number, each = 1): Asked[] {
  return Array.from({ length: count }, (_, i) => {
    const number = drafts++;
    return askFor(bot, `run-${number - (i % each)}`, number);
  });
}

/** Another request of the same executions. */
export function furtherRequests(bot: Bot, earlier: readonly Asked[]): Asked[] {
  return earlier.map(({ executionId }) => askFor(bot, executionId, drafts++));
}

function askFor({ crew }: Bot, executionId: string, number: number): Asked {
  const taskId = `draft-${number}`;
  const text = `${taskId}. `;
  const output = text + prose(OUTPUT_BYTES - text.length, number);
  const body = JSON.stringify({ execution_id: executionId, task_id: taskId, task_output: output });
  const headers = { 'content-type': 'application/json', authorization: crew.authorization };
  return { executionId, taskId, post: { path: crew.path, headers, body } };
}

const MOST_TRIES = 30;
const RETRY_MS = 1_000;

/**
 * Sends requests for human input, those that a busy bot refuses again as crew services do, and waits until each has its
 * card. @throws where one isn't taken within half a minute
 */
export async function makeApprovals(bot: Bot, stubs: Stubs, requests: readonly Asked[]): Promise<void> {
  const { cards } = await stubs.counts();
  let left = requests.map(({ post }) => post);
  for (let tries = 0; left.length > 0; tries++) {
    if (tries === MOST_TRIES) throw new Error(`${left.length} requests for human input were never taken`);
    if (tries > 0) await pause(RETRY_MS);
    const sent = await closedLoop(bot.port, left, LANES);
    left = left.filter((_, i) => sent[i]?.status !== 200);
  }
  await stubs.until('cards', (now) => now.cards >= cards + requests.length, 600_000);
}

/** Pending approvals, each of an execution of its own, as Slack shows them. The stubs forget what they were asked before. */
export async function openApprovals(bot: Bot, stubs: Stubs, count: number): Promise<Card[]> {
  await stubs.tell('forget');
  const requests = newRequests(bot, count);
  await makeApprovals(bot, stubs, requests);
  const wanted = new Set(requests.map(({ taskId }) => taskId));
  const posted = await stubs.posted();
  return posted.filter(({ draft }) => draft !== null && wanted.has(draft)).map(readCard);
}
