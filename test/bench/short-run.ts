import { exceededBudgets, readBudgets } from './budgets.ts';
import type { Setup } from './harness/contenders.ts';
import { inboxCounts } from './parts/inbox.ts';
import { policyCounts } from './parts/policies.ts';
import { busyCounts, idleCommands } from './parts/redis.ts';
import { slackCallsOf } from './parts/slack-calls.ts';
import type { Report } from './report.ts';

const FEW = { pending: 200, decisions: 100 };

/** The counts alone, which other work on the machine hardly changes, so most is measured at the same time. */
export async function measureCounts(setup: Setup): Promise<Report['parts']> {
  const began = performance.now();
  const [idle, { counts, ofPolicies }, ofInbox, ofOne, ofFive] = await Promise.all([
    idleCommands(setup),
    busyCounts(setup, FEW).then(async (counts) => ({ counts, ofPolicies: await policyCounts(setup) })),
    inboxCounts(setup),
    slackCallsOf(1, setup),
    slackCallsOf(5, setup),
  ]);
  const seconds = Math.round((performance.now() - began) / 1_000);
  return {
    redis: { seconds, figures: [idle, ...counts] },
    policies: { seconds, figures: ofPolicies },
    inbox: { seconds, figures: ofInbox },
    'slack-calls': { seconds, figures: [...ofOne, ...ofFive] },
  };
}

/** Says whether the counts keep to their budgets. @returns the exit code */
export function judgeCounts(parts: Report['parts']): 0 | 1 {
  const exceeded = exceededBudgets(readBudgets(), parts);
  if (exceeded.length === 0) console.log('\nAll counts keep to test/bench/budgets.json.');
  for (const each of exceeded) console.error(`\nOver budget: ${each}`);
  return exceeded.length === 0 ? 0 : 1;
}
