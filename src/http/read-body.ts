import type { IncomingMessage } from 'node:http';
import { type Answer, refusal } from './answer.ts';

/** The memory left for bodies, over all requests. */
export interface BodyBudget {
  freeBytes: number;
}

/**
 * Reads a body and passes it on. It is refused as soon as it is larger than allowed, or claims to be, or exceeds the memory
 * budget of all requests. Rejects if the sender goes away.
 */
export async function withBody(
  request: IncomingMessage,
  { mostBytes, budget }: { mostBytes: number; budget: BodyBudget },
  use: (body: Buffer) => Promise<Answer>,
): Promise<Answer> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return TOO_LARGE;
  const held = { bytes: 0 };
  try {
    const body = await collect(request, (bytes) => {
      held.bytes += bytes;
      budget.freeBytes -= bytes;
      if (held.bytes > mostBytes) return TOO_LARGE;
      return budget.freeBytes < 0 ? TOO_MUCH : null;
    });
    return body.kind === 'whole' ? await use(body.bytes) : body.answer;
  } finally {
    budget.freeBytes += held.bytes;
  }
}

const TOO_LARGE = refusal(413, 'The body is too large.');
const TOO_MUCH = refusal(503, 'Too much is in progress; send it again.', { 'retry-after': '5' });

type Collected = { kind: 'whole'; bytes: Buffer } | { kind: 'refused'; answer: Answer };

/** The whole body, or the answer with which `account` refuses one of its chunks. */
function collect(request: IncomingMessage, account: (bytes: number) => Answer | null): Promise<Collected> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const take = (chunk: Buffer) => {
      const answer = account(chunk.length);
      chunks.push(chunk);
      if (!answer) return;
      request.off('data', take);
      resolve({ kind: 'refused', answer });
    };
    request.on('data', take);
    request.once('end', () => resolve({ kind: 'whole', bytes: Buffer.concat(chunks) }));
    request.once('error', reject);
  });
}
