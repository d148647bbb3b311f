import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedCrew } from '../../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { sharedRedis } from '../../shared.ts';
import { builtService } from '../built-package.ts';
import { crewCaller } from '../crew-caller.ts';
import { until } from '../until.ts';
import { startReceiver } from '../webhook-receiver.ts';

const redis = sharedRedis();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crew-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A file outside of this repository, in a folder without a package.json. */
async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

const greeting = (name: string) => `
  import { defineCrew, z } from '@signoff/crew-service';
  export const crews = [
    defineCrew({ name: '${name}', inputs: { who: z.string() } })
      .task('greet', { agent: 'A', run: ({ inputs }): string => \`Hello \${inputs.who}\` }),
  ];`;

const start = async (files: readonly string[], limits: { loadLimitMs?: number; runsAtOnce?: number } = {}) =>
  (await builtService()).startCrewService({
    crews: [scriptedCrew({ name: 'scripted', tasks: [{ name: 'a' }] })],
    crewFiles: files.map((file) => ({ file, options: { greeting: 'Moin' } })),
    crewProcesses: { env: process.env, ...limits },
    tokens: { organisation: 'org' },
    redisUrl: redis.socketPath,
  });

describe('a crew file', () => {
  it('may lie outside of this repository, in several files, as TypeScript or JavaScript', async () => {
    await write('greeting.ts', 'export const greet = (...words: string[]) => words.join(" ");');
    const service = await start([
      await write('plain.mjs', greeting('plain').replace(': string =>', ' =>')),
      await write(
        'several.ts',
        `import { z } from 'zod';
         import { defineCrew } from '@signoff/crew-service';
         import { greet } from './greeting.ts';
         export const crews = (options: { greeting: string }) => ['one', 'two'].map((name) =>
           defineCrew({ name, inputs: { who: z.string() } })
             .task('greet', { agent: 'A', run: ({ inputs }) => greet(options.greeting, inputs.who) }));`,
      ),
    ]);
    expect(service.crewNames.toSorted()).toEqual(['one', 'plain', 'scripted', 'two']);
    for (const crew of ['plain', 'two'])
      await crewCaller(service.baseUrlOf(crew), 'org').post('/kickoff', { inputs: { who: 'Maria' } });
    await until(
      'the ends',
      async () => (await service.sandbox.runs()).every(({ status }) => status === 'completed'),
      60_000,
    );
    const outcomes = (await service.sandbox.runs()).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['Hello Maria', 'Moin Maria']);
    await service.close();
  });

  it.each([
    ['throws.ts', `throw new Error('no luck');`, 'no luck'],
    [
      'later.ts',
      `setTimeout(() => { throw new Error('later'); }, 1); await new Promise(() => {});`,
      'Uncaught error: later',
    ],
    ['exits.ts', 'process.exit(2);', 'it exited with code 2'],
    ['nothing.ts', 'export const crew = 1;', 'It exports no `crews`: a list of crews, or a function that returns one.'],
    ['other.ts', 'export const crews = [{}];', 'It exports `crews` that are not all made by defineCrew.'],
    ['missing.ts', `import './nowhere.ts';`, /Cannot find module '.*nowhere\.ts'/],
    ['endless.ts', 'for (;;);', 'It took longer than 300 ms to load.'],
  ])('that can’t be used ends the start with its name and the reason: %s', async (name, text, reason) => {
    const started = start([await write(name, text)], name === 'endless.ts' ? { loadLimitMs: 300 } : {});
    const { message } = await started.then(
      () => new Error('started'),
      (error: Error) => error,
    );
    expect(message).toContain(`The crew file ${join(folder, name)} can't be used: `);
    if (typeof reason === 'string') expect(message).toContain(`: ${reason}`);
    else expect(message).toMatch(reason);
  });

  it('with a crew of the same name as another is a mistake that names both files', async () => {
    const files = [await write('here.mjs', greeting('same').replace(': string =>', ' =>')), join(folder, 'there.mjs')];
    await write('there.mjs', greeting('same').replace(': string =>', ' =>'));
    await expect(start(files)).rejects.toThrow(`Two crews are named "same": one in ${files[0]}, one in ${files[1]}.`);
  });
});

it('a run that people have decided about goes on before the kickoffs that wait for their turn', async () => {
  const receiver = await startReceiver();
  const file = await write(
    'asking.ts',
    `import { defineCrew } from '@signoff/crew-service';
     export const crews = [
       defineCrew({ name: 'asking', inputs: {} })
         .task('ask', { agent: 'A', humanInput: true, run: () => 'Fine?' })
         .task('go', { agent: 'A', run: () => 'gone' }),
     ];`,
  );
  const service = await start([file], { runsAtOnce: 1 });
  const caller = crewCaller(service.baseUrlOf('asking'), 'org');
  const kickoff = () => caller.post('/kickoff', { humanInputWebhook: { url: receiver.urlOf('/ask') } });
  await kickoff();
  const { execution_id, task_id } = (await receiver.nth('/ask', 1)).body;
  await Promise.all(Array.from({ length: 8 }, kickoff));
  const decision = { execution_id, task_id, human_feedback: 'Fine.', is_approve: true };
  await caller.post('/resume', { ...decision, crewWebhookUrl: receiver.urlOf('/end') });
  await receiver.nth('/end', 1);
  // One may have begun before the decision.
  expect(receiver.at('/ask').length).toBeLessThan(4);
  await receiver.nth('/ask', 9);
  await service.close();
  await receiver.close();
});
