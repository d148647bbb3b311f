import { randomBytes } from 'node:crypto';
import { dropOldest } from './triggers.ts';

/** What a `response_url` responds to. */
export type ResponseTarget = {
  userId: string;
  channelId: string;
  /** The clicked message, for `replace_original` and `delete_original`. */
  originalTs?: string;
};

type ResponseUrlRefusal = 'expired_url' | 'used_url' | 'invalid_url';

const USES = 5;
const LIFE_MS = 30 * 60_000;

/** Each can be used five times within 30 minutes. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
export type ResponseUrls = {
  /** Returns the path of a new URL. */
  issue(target: ResponseTarget): string;
  use(path: string): { target: ResponseTarget } | { refusal: ResponseUrlRefusal };
};

export function createResponseUrls(now: () => number): ResponseUrls {
  const issued = new Map<string, { target: ResponseTarget; at: number; uses: number }>();
  return {
    issue(target) {
      dropOldest(issued);
      const path = `/response/${randomBytes(12).toString('hex')}`;
      issued.set(path, { target, at: now(), uses: 0 });
      return path;
    },
    use(path) {
      const found = issued.get(path);
      if (!found) return { refusal: 'invalid_url' };
      if (now() - found.at > LIFE_MS) return { refusal: 'expired_url' };
      if (found.uses >= USES) return { refusal: 'used_url' };
      found.uses += 1;
      return { target: found.target };
    },
  };
}
