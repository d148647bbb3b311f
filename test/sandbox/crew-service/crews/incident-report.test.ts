import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/crew-server.ts';
import { incidentReportCrew } from '../../../../src/sandbox/crew-service/crews/incident-report/crew.ts';
import { parseLine, summarise } from '../../../../src/sandbox/crew-service/crews/incident-report/read-log.ts';
import {
  readReportFeedback,
  writeReport,
} from '../../../../src/sandbox/crew-service/crews/incident-report/write-report.ts';
import { collectGarbage } from '../../../support/collect-garbage.ts';
import { startRedis, type TestRedis } from '../../../support/redis.ts';
import { type Conversation, converse } from '../conversation.ts';
import { type CrewCaller, crewCaller } from '../crew-caller.ts';
import { startReceiver, type WebhookReceiver } from '../webhook-receiver.ts';

const LOG = [
  '2026-03-01T10:00:00Z INFO started on port 8080',
  '2026-03-01T10:01:10Z WARN pool is at 80 %',
  '2026-03-01T10:02:03Z ERROR timeout after 3001 ms for user 17',
  '2026-03-01T10:05:01Z ERROR timeout after 3002 ms for user 23',
  '2026-03-01T10:05:30Z ERROR timeout after 2999 ms for user 4',
  '2026-03-01T10:06:00Z FATAL out of `connections`',
  '    at pool.ts:12',
  '2026-03-01T10:09:00Z INFO restarted',
];

describe('a log line', () => {
  it.each([
    ['2026-03-01T10:02:03Z ERROR it broke', { at: '2026-03-01T10:02:03.000Z', level: 'error', message: 'it broke' }],
    [
      '[2026-03-01T10:02:03.5+01:00] [warn] - low disk',
      { at: '2026-03-01T09:02:03.500Z', level: 'warning', message: 'low disk' },
    ],
    ['CRITICAL: no time at all', { at: undefined, level: 'fatal', message: 'no time at all' }],
    ['just text', { at: undefined, level: 'other', message: 'just text' }],
    [
      '{"level":50,"time":1772359323000,"msg":"from pino"}',
      { at: '2026-03-01T10:02:03.000Z', level: 'error', message: 'from pino' },
    ],
    [
      '{"severity":"WARNING","timestamp":"2026-03-01T10:02:03Z","message":"from the cloud"}',
      { at: '2026-03-01T10:02:03.000Z', level: 'warning', message: 'from the cloud' },
    ],
    [
      '{"level":"error","ts":1772359323.5,"msg":{"code":7}}',
      { at: '2026-03-01T10:02:03.500Z', level: 'error', message: '{"code":7}' },
    ],
    ['\u001b[31mERROR\u001b[0m in colour\0', { at: undefined, level: 'error', message: 'in colour' }],
    [
      '2026/03/01 10:02:03 [error] 12#0: from nginx',
      { at: new Date('2026-03-01T10:02:03').toISOString(), level: 'error', message: '12#0: from nginx' },
    ],
    [
      'level=warn ts=2026-03-01T10:02:03Z msg="from logfmt" user=7',
      { at: '2026-03-01T10:02:03.000Z', level: 'warning', message: 'from logfmt' },
    ],
    ['{not json', { at: undefined, level: 'other', message: '{not json' }],
  ])('%j', (line, expected) => {
    expect(parseLine(line)).toEqual(expected);
  });
});

describe('an incident report', () => {
  const facts = { severity: 'sev2', startedOn: '2026-03-01', customersAffected: 340 };
  const report = async (...feedback: string[]) =>
    writeReport(await summarise('/var/log/app.log', LOG), facts, readReportFeedback(feedback).style);

  it('counts what went wrong, when, and how often the same', async () => {
    expect(await report()).toBe(
      [
        '# Incident report: SEV2, 2026-03-01',
        '',
        '**SEV2** · **340 customers** affected · **4 errors** and 1 warning in 8 lines of `app.log`.',
        '',
        '## Timeline (UTC)',
        '- `2026-03-01 10:00` the log begins',
        '- `2026-03-01 10:02` first error: `timeout after 3001 ms for user 17`',
        '- `2026-03-01 10:05` the worst minute: **2 errors**',
        '- `2026-03-01 10:06` last error: `out of connections`',
        '- `2026-03-01 10:09` the log ends',
        '',
        '## Errors',
        '- **3×** `timeout after # ms for user #`',
        '- **1×** `out of connections`',
        '',
        '## Warnings',
        '- **1×** `pool is at # %`',
      ].join('\n'),
    );
  });

  it('follows feedback, and says what it could not follow', async () => {
    const text = await report(
      'Severity is SEV1, mention that Ana found it. Leave out the warnings and the timeline',
      'call it "The long morning"',
    );
    expect(text).toContain('# The long morning');
    expect(text).toContain('**SEV1**');
    expect(text).toContain('## To note\n- Ana found it');
    expect(text).not.toMatch(/Timeline|Warnings/);
    expect(readReportFeedback(['shorter', 'paint it blue']).notFollowed).toEqual(['paint it blue']);
  });

  it('takes numbers for the same however they are written', async () => {
    const lines = ['ERROR no answer within 5,000 ms', 'ERROR no answer within 31.5 ms', 'ERROR no answer within 7 ms'];
    expect((await summarise('/x/app.log', lines)).groups).toEqual([
      { level: 'error', message: 'no answer within # ms', count: 3 },
    ]);
  });

  it.each([
    ...['don’t make it shorter', 'not too long', 'leave out everything', 'the title is too long'],
    ...['this was not a sev1', 'write it like a poem'],
  ])('does not do the opposite of "%s"', (text) => {
    const { style, notFollowed } = readReportFeedback([text]);
    expect(style).toEqual(readReportFeedback([]).style);
    expect(notFollowed).toHaveLength(1);
  });

  it('names what is frequent among messages that are all different, without keeping those', async () => {
    const letters = (n: number) => String.fromCharCode(...[...`${n}`].map((digit) => 97 + Number(digit)));
    const held = { before: 0, after: 0 };
    const heldNow = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const lines = function* () {
      held.before = heldNow();
      for (let n = 0; n < 60_000; n++) {
        yield `ERROR ${letters(n)} broke`;
        if (n % 1000 < 2) yield 'ERROR the disk is full';
      }
      held.after = heldNow();
    };
    const { errors, groups } = await summarise('/var/log/app.log', lines());
    expect(errors).toBe(60_120);
    expect(groups[0]).toEqual({ level: 'error', message: 'the disk is full', count: 120 });
    expect(held.after - held.before).toBeLessThan(8 * 1_048_576);
  });

  it('of an empty log says so', async () => {
    expect(writeReport(await summarise('/x/empty.log', []), facts, readReportFeedback([]).style)).toContain(
      '**0 errors** and 0 warnings in 0 lines',
    );
  });
});

describe('the crew incident-report', () => {
  let redis: TestRedis;
  let receiver: WebhookReceiver;
  let service: CrewService;
  let crew: CrewCaller;
  let conversation: Conversation;
  let folder: string;
  let inputs: Record<string, unknown>;

  beforeAll(async () => {
    redis = await startRedis();
    receiver = await startReceiver();
    folder = await mkdtemp(join(tmpdir(), 'crew-log-'));
    await writeFile(join(folder, 'app.log'), LOG.join('\n'));
    inputs = { log_file: join(folder, 'app.log'), severity: 'sev2', started_on: '2026-03-01', customers_affected: 340 };
    service = await startCrewService({
      crews: [incidentReportCrew()],
      tokens: { organisation: 'org' },
      redisUrl: redis.socketPath,
    });
    crew = crewCaller(service.baseUrlOf('incident-report'), 'org');
    conversation = converse({ service, receiver, dialect: 'spec', token: 'org' });
  });

  afterAll(async () => {
    await service.close();
    await receiver.close();
    await redis.stop();
    await rm(folder, { recursive: true });
  });

  it('asks for a path, a choice, a date and a number', async () => {
    expect((await crew.get('/inputs')).body).toEqual({
      inputs: ['log_file', 'severity', 'started_on', 'customers_affected'],
    });
  });

  it('writes the report and follows feedback', async () => {
    const run = await conversation.start('incident-report', { ...inputs, customers_affected: '340', severity: 'SEV2' });
    const first = await run.pause(1);
    expect(first.body.task_output).toContain('**340 customers** affected');
    await run.resume(first, { approved: false, text: 'leave out the timeline' });
    const second = await run.pause(2);
    expect(second.body.task_output).not.toContain('Timeline');
    await run.resume(second, { approved: true, text: 'Approved.' });
    expect(await run.result()).toBe(second.body.task_output);
  });

  it.each([
    ['severity', 'sev9', 400],
    ['severity', null, 422],
    ['started_on', '1 March', 400],
    ['started_on', '2026-02-30', 400],
    ['customers_affected', -1, 400],
    ['customers_affected', 'many', 400],
    ['customers_affected', 3.5, 400],
    ['customers_affected', undefined, 422],
    ['log_file', '', 422],
  ])('refuses %s = %j with %i', async (name, value, status) => {
    const answer = await crew.post('/kickoff', { inputs: { ...inputs, [name]: value } });
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(name)]);
  });

  it.each([
    [-1, 'can’t be less than 0'],
    ['-1', 'can’t be less than 0'],
    [3.5, 'must be a whole number'],
    ['many', 'must be a number'],
  ])('says in plain words what is wrong with %j customers', async (value, words) => {
    const { text } = await crew.post('/kickoff', { inputs: { ...inputs, customers_affected: value } });
    expect(text).toContain(`customers_affected: ${words}`);
  });

  it.each([
    ['relative.log', 'must be an absolute path'],
    ['/nowhere/app.log', 'There is no file'],
    ['/tmp', 'There is no file'],
  ])('fails with a sentence for the log file %s', async (file, sentence) => {
    const { body } = await crew.post('/kickoff', { inputs: { ...inputs, log_file: file } });
    expect((await conversation.endOf('incident-report', body.kickoff_id)).error).toContain(sentence);
  });
});
