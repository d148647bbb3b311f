import { parseCrewsFile } from '../../../src/config/crews.ts';
import { createRulesOf } from '../../../src/core/policy/rules.ts';
import type { Json } from '../../../src/core/values/json.ts';
import { closeRedis, connectRedis, pingRedis } from '../../../src/redis/connection.ts';
import { createOverview } from '../../../src/redis/overview/overview.ts';
import { createInbox } from '../../../src/slack/directory/inbox.ts';
import { account } from '../../support/requests.ts';
import { median } from '../statistics.ts';

const PEOPLE_BEFORE = 50;

interface Judging {
  redisUrl: string;
  /** What the crews file says of the `approval` of each crew, by its name. */
  policies: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** The ids of those who look at their inbox; all of them are in every group and channel. */
  people: readonly string[];
}

/**
 * How long it takes to judge everything that waits for one person, in milliseconds: the median of many people, in a process that
 * has done so before, with a Slack that answers at once.
 */
export async function judgingMs({ redisUrl, policies, people }: Judging): Promise<number> {
  const redis = connectRedis(redisUrl, { onTrouble: () => {} });
  await pingRedis(redis);
  try {
    const snapshot = await createOverview(redis).latest();
    const members = new Set(people);
    const inbox = createInbox({
      overview: { latest: async () => snapshot },
      directory: {
        account: async (id) => account(id),
        accountInLists: async (id) => account(id),
        isPublic: async () => true,
        membersOf: async () => members,
        membersInLists: async () => members,
      },
      rulesOf: rulesFor(policies),
    });
    const times: number[] = [];
    for (const person of people) {
      const began = performance.now();
      await inbox.of(person);
      times.push(performance.now() - began);
    }
    return median(times.slice(PEOPLE_BEFORE));
  } finally {
    await closeRedis(redis);
  }
}

function rulesFor(policies: Judging['policies']) {
  const common = { base_url: 'http://127.0.0.1:9', token: 'bench' };
  const crews = Object.entries(policies).map(([name, approval]) => ({ name, ...common, approval }));
  const parsed = parseCrewsFile(JSON.stringify({ crews }), {});
  if (!parsed.ok) throw new Error(parsed.refusal.join('\n'));
  return createRulesOf(new Map(parsed.value.crews.map((crew) => [crew.name, crew])));
}
