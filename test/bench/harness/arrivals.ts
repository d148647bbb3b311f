import type { Card } from './cards.ts';
import type { Sent } from './requests.ts';
import type { Stubs } from './stubs.ts';

/**
 * From each click to the arrival of its decision at the crew, in milliseconds; those that never arrived are left out.
 * @param sent one click a card, in the same order
 */
export async function arrivalsMs(cards: readonly Card[], sent: readonly Sent[], stubs: Stubs): Promise<number[]> {
  const arrivedAt = new Map((await stubs.resumed()).map(({ taskId, at }) => [taskId, at]));
  return cards.flatMap(({ taskId }, i) => {
    const [at, sentAt] = [arrivedAt.get(taskId), sent[i]?.at];
    return at === undefined || sentAt === undefined ? [] : [at - sentAt];
  });
}
