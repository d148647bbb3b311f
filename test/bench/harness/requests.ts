import { Pool } from 'undici';
import { nowS, proofOf } from '../../support/slack-server.ts';
import { monotonicMs } from '../stubs/state.ts';

/** A request that is ready to be sent. */
export interface Post {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** What came of one request. Instants are those of this machine's monotonic clock, in milliseconds. */
export interface Sent {
  status: number;
  at: number;
  tookMs: number;
  /** How much later than planned it was sent. */
  lateMs: number;
}

export const SIGNING_SECRET = 'only-for-benchmarks';

/** A request from Slack, signed now: it is valid for five minutes. */
export function slackPost(body: string): Post {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...proofOf({ secret: SIGNING_SECRET, body, stamp: nowS() }),
  };
  return { path: '/slack/events', headers, body };
}

/** Sends the next request as soon as one of `lanes` is free. The outcomes are in the order of the requests. */
export async function closedLoop(port: number, posts: readonly Post[], lanes: number): Promise<Sent[]> {
  return withPool(port, lanes, async (send) => {
    const sent: Sent[] = [];
    const next = posts.entries();
    const lane = async () => {
      for (const [i, post] of next) sent[i] = await send(post, 0);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return sent;
  });
}

/** Sends requests at their planned times, whether or not the earlier ones are answered. */
export async function openLoop(port: number, posts: readonly Post[], perSecond: number): Promise<Sent[]> {
  return withPool(port, 256, async (send) => {
    const began = monotonicMs();
    const sending: Promise<Sent>[] = [];
    await new Promise<void>((resolve) => {
      const sendDue = () => {
        while (sending.length < posts.length) {
          const planned = began + (sending.length * 1_000) / perSecond;
          const post = posts[sending.length];
          if (planned > monotonicMs() || post === undefined) return void setTimeout(sendDue, 1);
          sending.push(send(post, monotonicMs() - planned));
        }
        resolve();
      };
      sendDue();
    });
    return Promise.all(sending);
  });
}

async function withPool<T>(
  port: number,
  connections: number,
  use: (send: (post: Post, lateMs: number) => Promise<Sent>) => Promise<T>,
): Promise<T> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, keepAliveTimeout: 60_000 });
  try {
    return await use(async (post, lateMs) => {
      const at = monotonicMs();
      const { statusCode, body } = await pool.request({ method: 'POST', ...post });
      await body.dump();
      return { status: statusCode, at, tookMs: monotonicMs() - at, lateMs };
    });
  } finally {
    await pool.close();
  }
}
