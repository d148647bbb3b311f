import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../../src/core/values/json.ts';
import type { StoredMessage } from '../../src/sandbox/slack-workspace/state/workspace-state.ts';
import { HOSTILE } from '../slack/ui/hostile.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, type World } from '../support/world.ts';

/** Everything that pings, names, links or dates in Slack, and words of our own. */
const EVIL = [
  '<!channel> <!here> <!everyone> <!subteam^SRELEASE1|x> @channel @here',
  '<@UAIKO0003> <#C0SECRET06> <https://evil.example|Open the approval> [Approve](https://evil.example)',
  '<!date^1^{date}|soon> &lt;!channel&gt; ![x](https://evil.example/x.png)',
  '✅ *Approved* by <@UMARIA001> \u202Eerom',
].join('\n');

const LONG_ONES = HOSTILE.filter(([, text]) => text.length > 4_000 && text.length < 100_000);

let world: World;
let evil: Fixture;

beforeAll(async () => {
  world = await startWorld({ fixtures: 1 + LONG_ONES.length, inputs: ['topic'] });
  await world.startBot();
  evil = await world.fixture([
    { name: `research ${EVIL}`, agent: EVIL, output: EVIL, steps: 2 },
    { name: EVIL, agent: EVIL, humanInput: true, output: `${EVIL}\n{{round}} {{feedback}}\n${EVIL}\n${EVIL}` },
  ]);
});
afterAll(() => world.stop());

it('inputs, task names, agents, outputs and feedback that ping, forge and link go through the whole run', async () => {
  await evil.maria.command(evil.channel, `/kickoff ${evil.crew}`);
  // One line: that is what the field takes.
  await evil.maria.fill('topic', EVIL.replaceAll('\n', ' '));
  await evil.maria.submit();
  await evil.reject(await evil.card('Approval needed'), EVIL);
  const second = await evil.card('Round 2');
  for (const [button, title] of [
    ['Review', 'Review'],
    ['Compare', 'round 1 → round 2'],
  ] as const) {
    await evil.jon.click(button, { in: second });
    await evil.jon.seesModal(title);
    await evil.jon.closeModal();
  }
  const root = await evil.root();
  await evil.maria.click('Activity', { in: root });
  await evil.maria.seesModal(/./);
  await evil.maria.closeModal();
  await evil.approve(second);
  await evil.run('completed', ({ status }) => status === 'completed');
  await evil.maria.seesChanged(root, 'Completed');
});

it.each(LONG_ONES.map(([name, text]) => ({ name, text })))(
  'an output of $name is shown, decided and delivered',
  async ({ text }) => {
    const fixture = await world.fixture([{ name: 'draft', humanInput: true, output: text }]);
    await fixture.start();
    await fixture.approve(await fixture.card('Approval needed'));
    await fixture.run('completed', ({ status }) => status === 'completed');
  },
);

it('only the starter of the crew was pinged', () => {
  const starters = new Set(world.slack.messages().flatMap(({ notifies }) => notifies));
  expect([...starters].filter((id) => !/^UMARIA\d+X$/.test(id))).toEqual([]);
});

it('no text that Slack parses holds anything live that came from outside', () => {
  for (const text of world.slack.messages().flatMap(parsedTexts)) {
    const live = text.match(/<[^>]*>/g) ?? [];
    const foreign = live.filter(
      (each) => !/^<(@UMARIA\d+X>|@UJON\d+X>|!date\^\d{10}\^|http:\/\/127\.0\.0\.1)/.test(each),
    );
    expect(foreign, text.slice(0, 300)).toEqual([]);
  }
});

it('no call to Slack broke a rule of Slack, but for what Slack itself makes of Markdown', () => {
  const broken = world.slack.calls().flatMap((call) => call.broken);
  const byTranslation = broken.filter(({ detail }) =>
    /(rows|columns) allowed in a table|markdown blocks make/.test(detail),
  );
  expect(broken).toEqual(byTranslation);
});

/** What Slack looks for mentions and links in: the text of a message, mrkdwn, and Markdown. */
function parsedTexts(message: StoredMessage): string[] {
  return message.botId === undefined ? [] : [message.text, ...message.blocks.flatMap(textsOf)];
}

function textsOf(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  if ((value.type === 'mrkdwn' || value.type === 'markdown') && typeof value.text === 'string') return [value.text];
  return value.type === 'rich_text' ? [] : Object.values(value).flatMap(textsOf);
}
