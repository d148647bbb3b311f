import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src/setup/free-port.ts';
import type { BotProcess } from '../support/bot-process.ts';
import type { Fixture } from '../support/fixture.ts';
import { askSlackServer, proofOf } from '../support/slack-server.ts';
import { CREW_TOKEN, startWorld, TEST_SECRET, type World } from '../support/world.ts';

const INPUT = 'INPUT-that-nobody-else-may-read';
const OUTPUT = 'OUTPUT-that-nobody-else-may-read';
const FEEDBACK = 'FEEDBACK-that-nobody-else-may-read';
const RESULT = 'RESULT-that-nobody-else-may-read';
const UNREADABLE = 'UNREADABLE-that-nobody-else-may-read';
const DETAIL = 'DETAIL-of-an-error-that-nobody-else-may-read';

let world: World;
let bot: BotProcess;
let port: number;
let fixture: Fixture;
/** The bot's answers to forged and broken requests. */
const answers: string[] = [];

beforeAll(async () => {
  world = await startWorld({ fixtures: 1, env: { LOG_LEVEL: 'trace', WEBHOOK_AUTH: 'basic' } });
  port = await freePort();
  bot = await world.startBotProcess({ port });
  fixture = await world.fixture([
    { name: 'draft', humanInput: true, output: `# A draft\n\n${OUTPUT} {{feedback}}`, steps: 3 },
    { name: 'publish', output: RESULT },
  ]);
});
afterAll(() => world.stop());

it('a whole run, in which everything goes wrong that can, comes to its end', async () => {
  await goWrong();
  await fixture.types(`topic=${INPUT}`);
  await fixture.reject(await fixture.card('Approval needed'), FEEDBACK);
  await sendGarbage();
  await fixture.approve(await fixture.card('Round 2'));
  await fixture.run('completed', ({ status }) => status === 'completed');
  await fixture.maria.sees(fixture.channel, 'Completed');
}, 60_000);

/** Services that refuse, fail, hang up and say too much. */
async function goWrong(): Promise<void> {
  const says = { status: 503, headers: { 'retry-after': '1' }, body: { detail: `${DETAIL} ${CREW_TOKEN}` } };
  await fixture.addFault({ route: 'kickoff', respond: says });
  await fixture.addFault({ route: 'resume', respond: says });
  await fixture.addFault({ route: 'status', times: 2, respond: { status: 500, body: `${DETAIL}` } });
  await fixture.addFault({ webhook: 'human-input', effect: { duplicates: 2 } });
  world.slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'status', status: 500 } });
  world.slack.faults.add({ method: 'chat.update', effect: { kind: 'drop' } });
  world.slack.faults.add({ method: 'chat.update', nth: 2, effect: { kind: 'error', error: 'internal_error' } });
  world.slack.faults.add({ method: 'views.open', effect: { kind: 'delay', delayMs: 50 } });
}

async function sendGarbage(): Promise<void> {
  const secret = world.slack.signingSecret;
  const [kickoff] = await fixture.requests('kickoff');
  const { humanInputWebhook, taskWebhookUrl } = JSON.parse(kickoff?.body ?? '{}');
  const { username, password } = humanInputWebhook.authentication;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const bodies = [`{"shape":"${UNREADABLE}"}`, `{"broken":"${UNREADABLE}`, '[['.repeat(200), 'null'];
  for (const body of bodies) {
    await tell(humanInputWebhook.url, { authorization }, body);
    await tell(humanInputWebhook.url, { authorization: `${authorization}x` }, body);
    await tell(taskWebhookUrl, {}, body);
    await tell(`${taskWebhookUrl}x`, {}, body);
    for (const proof of [proofOf({ secret, body }), null])
      answers.push((await askSlackServer({ port, secret, body, proof, contentType: 'application/json' })).text);
    const form = new URLSearchParams({ payload: `{"type":"block_actions","actions":"${UNREADABLE}"}` }).toString();
    answers.push((await askSlackServer({ port, secret, body: form })).text);
  }
  for (const path of ['healthz', 'readyz', 'metrics', 'nothing', `x?token=${CREW_TOKEN}`])
    answers.push(await (await fetch(`http://127.0.0.1:${port}/${path}`)).text());
}

async function tell(url: string, headers: Record<string, string>, body: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers, body });
  answers.push(JSON.stringify([...answer.headers]), await answer.text());
}

/** Everything that the services were given of the bot's secrets, and what people and crews wrote. */
async function secrets(): Promise<[string, string][]> {
  const { slack } = world;
  const given = (await world.crews.sandbox.requests()).map(({ body, headers }) => `${body} ${JSON.stringify(headers)}`);
  const found = (pattern: RegExp) => [...new Set(given.flatMap((each) => each.match(pattern) ?? []))];
  const derived = [...found(/"password":"[^"]+"/g), ...found(/h\d+\.[\w-]{43}/g)];
  expect(derived.length).toBeGreaterThan(2);
  return [
    ['the bot token', slack.botToken],
    ['the signing secret', slack.signingSecret],
    ['the app secret', TEST_SECRET],
    ['the crew token', CREW_TOKEN],
    ...derived.map((each): [string, string] => ['a credential', each.replace(/^"password":"|"$/g, '')]),
    ...[INPUT, OUTPUT, FEEDBACK, RESULT, UNREADABLE, DETAIL].map((each): [string, string] => ['a text', each]),
  ];
}

it('no secret, output, input or feedback stands in what it printed', async () => {
  const printed = bot.printed();
  expect(printed.split('\n').length).toBeGreaterThan(30);
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(printed).toMatch(new RegExp(`"version":"${version}".*Signoff is ready`));
  expect(printed).toMatch(/"pressed":"give_feedback","ref":"[\w-]+",.*"verdict":"reject".*answered a request/);
  for (const [name, secret] of await secrets()) expect(printed.includes(secret), name).toBe(false);
  expect(printed).not.toMatch(/node_modules|\bat \S+ \(.*:\d+:\d+\)/);
});

it('No secret, output, input or feedback stands in what it answered, nor a stack trace', async () => {
  const said = answers.join('\n');
  for (const [name, secret] of await secrets()) expect(said.includes(secret), name).toBe(false);
  expect(said).not.toMatch(/node_modules|\.[tj]s:\d+|\bat .+\(|ZodError|TypeError|SyntaxError/);
});
