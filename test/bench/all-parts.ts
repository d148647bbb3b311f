import type { Figure } from './figures.ts';
import type { Setup } from './harness/contenders.ts';
import { acks } from './parts/acks.ts';
import { inbox } from './parts/inbox.ts';
import { intake } from './parts/intake.ts';
import { channel, clicks, entry, four, heap, steps, two } from './parts/load.ts';
import { memory } from './parts/memory.ts';
import { path } from './parts/path.ts';
import { policies } from './parts/policies.ts';
import { redis } from './parts/redis.ts';
import { scale } from './parts/scale.ts';
import { slackCalls } from './parts/slack-calls.ts';
import { startup } from './parts/startup.ts';

export interface Part {
  what: string;
  measure: (setup: Setup) => Promise<Figure[]>;
}

/** Everything that `npm run bench` measures; each name may be given as an argument to measure only that. */
export const PARTS: Record<string, Part> = {
  acks: { what: 'acknowledgements of clicks, each on a pending approval of its own', measure: acks },
  path: { what: 'clicks at a steady rate, until the crew is told and the card updated', measure: path },
  intake: { what: 'bursts of 1,000 requests for human input, until each has its card', measure: intake },
  redis: { what: "what the bot asks of Redis, by the server's own counts", measure: redis },
  policies: { what: 'what a policy about who decides costs, and an entry of the ledger', measure: policies },
  'slack-calls': {
    what: '5 tasks, 50 steps and 2 approvals in 45 s under the real rates of Slack, alone and five at once in a channel',
    measure: slackCalls,
  },
  startup: { what: 'until the bot is ready, also after a crash with 200 decisions under way', measure: startup },
  scale: { what: 'decisions a second of one, two and four bots', measure: scale },
  memory: {
    what: 'many pending approvals in one channel: 10,000, and with --large 100,000 (ten minutes or more)',
    measure: memory,
  },
  inbox: { what: '500 people who open their Home, 50 a second, while 10,000 requests wait', measure: inbox },
  clicks: {
    what: '1,000 executions in flight with 10,000 pending approvals, and 500 clicks within a second',
    measure: clicks,
  },
  steps: { what: '5,000 agent steps of one execution within a minute', measure: steps },
  heap: { what: '1,000 executions from start to end, ten times 100, in a heap of at most 96 MiB', measure: heap },
  two: { what: 'two bots behind a balancer', measure: two },
  four: { what: 'four bots behind a balancer', measure: four },
  entry: { what: 'four bots, one of which receives all requests of Slack', measure: entry },
  channel: {
    what: '200 executions in one channel under the real rates of Slack (ten minutes: it takes one message a second)',
    measure: channel,
  },
};
