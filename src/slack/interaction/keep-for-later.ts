import { setTimeout as delay } from 'node:timers/promises';
import { keepAnswer, type UntoldAnswer } from '../../core/messages/private-answers.ts';
import { ok } from '../../core/result.ts';
import { backoffMs } from '../../core/time.ts';
import { mayPassSoon } from '../api/errors.ts';
import { postPrivately } from '../api/post-privately.ts';
import { answerMessage } from '../ui/answer-modal.ts';
import { parseRef } from '../ui/button-value.ts';
import type { Click } from './click.ts';
import type { ListenerContext } from './listener-context.ts';

type Ports = Pick<ListenerContext, 'client' | 'log' | 'store' | 'wake'>;

/** An answer to a click on something that isn't stored is tried this often by this process, over most of a minute. */
const TRIES = 7;
const RETRY = { firstMs: 1_000, mostMs: 10_000 };

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

async function tryForAWhile(
  { client, log }: Ports,
  { to: user, channel, threadTs, text }: UntoldAnswer,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    await delay(backoffMs(tries, RETRY), null, { ref: false });
    try {
      return await postPrivately(client, { channel, user, threadTs }, answerMessage(text));
    } catch (error) {
      log.warn({ err: error, tries }, 'could not answer a person privately');
      if (!mayPassSoon(error)) return;
    }
  }
}
