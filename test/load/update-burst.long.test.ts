import { expect, it } from 'vitest';
import { updateBurst } from './update-burst.ts';

it('one, two and four bots tell a burst of decisions as fast as Slack allows, and leave no card or thread untrue', async () => {
  const bursts = await Promise.all([1, 2, 4].map((bots) => updateBurst({ bots, decisions: 24 })));
  for (const { bots, updates, perSecond, ofAllowed } of bursts)
    console.info(
      `${bots} bots after a burst: ${updates} updates, ${perSecond} a second, ${ofAllowed} of what Slack allows`,
    );
  for (const { decisions, updates, ofAllowed, rejections } of bursts) {
    expect(ofAllowed).toBeGreaterThanOrEqual(0.9);
    expect(rejections).toBe(0);
    // A card and a thread for each decision; some threads are updated before the run ends, too.
    expect(updates).toBeLessThan(3 * decisions);
  }
});

it('after each rejection, bots that share the work wait as long as Slack says, and go on as fast as before', async () => {
  const reject = { nth: [22, 24, 28], waitS: 6 };
  const { ofAllowed, rejections, waitsS } = await updateBurst({ bots: 3, decisions: 24, reject });
  console.info(`3 bots that were told ${rejections} times to wait for ${reject.waitS} s waited ${waitsS.join(', ')} s`);
  expect(rejections).toBe(reject.nth.length);
  for (const each of waitsS) {
    expect(each).toBeGreaterThanOrEqual(reject.waitS);
    // Where no cards are left, some tokens have to be there for the next ones.
    expect(each).toBeLessThan(2 * reject.waitS);
  }
  expect(ofAllowed).toBeGreaterThanOrEqual(0.85);
});
