import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { OpenRequest } from '../../core/inbox/snapshot.ts';
import type { OutputStore } from '../../core/ports.ts';
import { outcomeOf } from '../api/errors.ts';
import type { Identity } from '../api/identity.ts';
import { postInChannel } from '../api/posts.ts';
import type { NamesOf, People } from '../api/users.ts';
import type { Inbox } from '../directory/inbox.ts';
import { sayIn } from '../language/say.ts';
import { digestMessage, MOST_SHOWN } from './digest-message.ts';
import { createHomeAddress } from './home-address.ts';

const NAMES_MS = 2_000;

interface Ports {
  client: WebClient;
  inbox: Inbox;
  outputs: Pick<OutputStore, 'get'>;
  identity: Identity;
  people: Pick<People, 'languageOf'>;
  namesOf: NamesOf;
  log: Logger;
}

/** `later`: nothing was sent, and it may be possible later. */
export type DigestOutcome = 'sent' | 'nothing-waits' | 'later' | 'unknown';

/** Tells a person what waits for them, if anything does. Throws `StoreUnavailable`: nothing is sent then. */
export type SendDigest = (personId: string) => Promise<DigestOutcome>;

export function createSendDigest({ client, inbox, outputs, identity, people, namesOf, log }: Ports): SendDigest {
  const findHome = createHomeAddress(client, identity);
  return async (personId) => {
    const { waiting, unsure } = await inbox.of(personId);
    if (waiting.length === 0) return unsure > 0 ? 'later' : 'nothing-waits';
    const requests = waiting.map(({ request }) => request);
    const shown = requests.slice(0, MOST_SHOWN);
    const [texts, language, name, home] = await Promise.all([
      findTexts(outputs, shown),
      people.languageOf(personId),
      Promise.race([
        namesOf(...shown.map(({ run }) => run.starter)),
        delay(NAMES_MS, ({ name: known }: { name: string }) => known, { ref: false }),
      ]),
      findHome(),
    ]);
    const textOf = ({ output }: OpenRequest) => texts.get(output.hash) ?? null;
    const message = digestMessage({ waiting: requests, textOf, now: Date.now(), name, home, say: sayIn(language) });
    try {
      await postInChannel(client, personId, message);
      return 'sent';
    } catch (error) {
      const { kind } = outcomeOf(error);
      log.warn({ personId, err: error, outcome: kind }, 'could not send a digest');
      return kind === 'later' ? 'later' : 'unknown';
    }
  };
}

async function findTexts(
  outputs: Ports['outputs'],
  requests: readonly OpenRequest[],
): Promise<Map<string, string | null>> {
  return new Map(
    await Promise.all(
      requests.map(async ({ run, output }) => [output.hash, await outputs.get(run.ref, output.hash)] as const),
    ),
  );
}
