import { nowS, proofOf, TEAM } from '../../support/slack-server.ts';
import { type Post, type Sent, SIGNING_SECRET } from './requests.ts';
import type { Stubs } from './stubs.ts';

let events = 0;

/** A person opens the Home tab. https://docs.slack.dev/reference/events/app_home_opened */
export function opening(personId: string): Post {
  const body = JSON.stringify({
    ...{ token: 'verification-token', team_id: TEAM, api_app_id: 'A0SIGNOFF', type: 'event_callback' },
    ...{ event_id: `Ev0BENCH${events++}`, event_time: nowS() },
    event: {
      type: 'app_home_opened',
      user: personId,
      channel: 'D0BENCH001',
      tab: 'home',
      event_ts: `${nowS()}.000001`,
    },
  });
  const headers = { 'content-type': 'application/json', ...proofOf({ secret: SIGNING_SECRET, body, stamp: nowS() }) };
  return { path: '/slack/events', headers, body };
}

/**
 * From each opening to the next publication of that person's Home, in milliseconds; those that never came are left out.
 * @param sent one opening a person, in the same order
 */
export async function publishedMs(people: readonly string[], sent: readonly Sent[], stubs: Stubs): Promise<number[]> {
  const published = await stubs.published();
  const timesOf = new Map<string, number[]>();
  for (const { userId, at } of published) timesOf.set(userId, [...(timesOf.get(userId) ?? []), at]);
  return people.flatMap((id, i) => {
    const at = sent[i]?.at ?? Number.POSITIVE_INFINITY;
    const first = timesOf.get(id)?.find((each) => each >= at);
    return first === undefined ? [] : [first - at];
  });
}
