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

/** Sends requests for human input and waits until each has its card. @throws where one isn't taken */
export async function makeApprovals(bot: Bot, stubs: Stubs, requests: readonly Asked[]): Promise<void> {
  const { cards } = await stubs.counts();
  const sent = await closedLoop(
    bot.port,
    requests.map(({ post }) => post),
    LANES,
  );
  const refused = sent.find(({ status }) => status !== 200);
  if (refused) throw new Error(`a request for human input was answered ${refused.status}`);
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
