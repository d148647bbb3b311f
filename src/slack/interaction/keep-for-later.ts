import { setTimeout as delay } from 'node:timers/promises';
import { ANSWER_RETRY, keepAnswer, type UntoldAnswer } from '../../core/messages/private-answers.ts';
import { ok } from '../../core/result.ts';
import { backoffMs } from '../../core/time.ts';
import { parseRef } from '../ui/button-value.ts';
import type { Click } from './click.ts';
import { giveAnswer } from './give-answer.ts';
import type { ListenerContext } from './listener-context.ts';

type Ports = Pick<ListenerContext, 'client' | 'log' | 'store' | 'wake' | 'say'>;

/** An answer to a click on something that isn't stored is tried this often by this process, over most of a minute. */
const TRIES = 7;

/** Keeps a private answer that Slack didn't take, to be given once it does. Never throws. */
export async function keepForLater(ports: Ports, { value }: Click, answer: UntoldAnswer): Promise<void> {
  const ref = parseRef(value);
  try {
    const kept = ref && (await ports.store.change(ref, (execution, now) => ok(keepAnswer(execution, answer, now))));
    if (!ref || !kept || kept.kind !== 'changed') return void tryForAWhile(ports, answer);
    ports.wake(ref);
  } catch (error) {
    ports.log.warn({ ref, err: error }, 'could not keep a private answer for later');
  }
}

async function tryForAWhile(ports: Ports, answer: UntoldAnswer): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    await delay(backoffMs(tries, ANSWER_RETRY), null, { ref: false });
    if ((await giveAnswer(ports, answer)) !== 'later') return;
  }
}
