import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseLine, summarise } from '../../../../src/sandbox/crew-service/crews/incident-log.ts';
import { incidentReportCrew, writeReport } from '../../../../src/sandbox/crew-service/crews/incident-report.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { startRedis, type TestRedis } from '../../../support/redis.ts';
import { type Conversation, converse } from '../conversation.ts';
import { type CrewCaller, crewCaller } from '../crew-caller.ts';
import { textIn } from '../json-body.ts';
import { startReceiver, type WebhookReceiver } from '../webhook-receiver.ts';

const LOG = [
  '2026-03-01T10:00:00Z INFO started on port 8080',
  '2026-03-01T10:01:10Z WARN pool is at 80 %',
  '2026-03-01T10:02:03Z ERROR timeout after 3,001 ms for user 17',
  '2026-03-01T10:05:30Z ERROR timeout after 29.9 ms for user 4',
  '2026-03-01T10:06:00Z FATAL out of `connections`',
  '    at pool.ts:12',
  '2026-03-01T10:09:00Z INFO restarted',
];

it.each([
  ['2026-03-01T10:02:03Z ERROR it broke', '2026-03-01T10:02:03.000Z', 'error', 'it broke'],
  ['[2026-03-01 10:02:03,5+01:00] [warn] - low disk', '2026-03-01T09:02:03.000Z', 'warning', 'low disk'],
  ['CRITICAL: no time at all', null, 'error', 'no time at all'],
  ['INFO an error of theirs', null, 'other', 'an error of theirs'],
  ['2026-99-99T10:02:03Z just text', null, 'other', 'just text'],
  ['{"level":50,"time":1772359323000,"msg":"from pino"}', '2026-03-01T10:02:03.000Z', 'error', 'from pino'],
  ['{not json', null, 'other', '{not json'],
  ['\u001b[31mERROR\u001b[0m in colour\0', null, 'error', 'in colour'],
])('reads the log line %j', (line, at, level, message) => {
  expect(parseLine(line)).toEqual({ at, level, message });
});

describe('an incident report', () => {
  const facts = { severity: 'sev2', startedOn: '2026-03-01', customersAffected: 340 };
  const report = async (...feedback: string[]) =>
    writeReport(await summarise('/var/log/app.log', LOG), facts, feedback);

  it('counts what went wrong, when, and how often the same', async () => {
    expect(await report()).toBe(
      [
        '# Incident report: SEV2, 2026-03-01',
        '',
        '**340 customers affected.** Errors for **4 minutes**, mostly `timeout after … ms for user …`, 2 times.',
        '3 errors and 1 warning in 7 lines of `app.log`.',
        '',
        '## Timeline (UTC)',
        '- **2026-03-01 10:00** the log begins',
        '- **2026-03-01 10:02** first error: `timeout after 3,001 ms for user 17`',
        '- **2026-03-01 10:06** last error: `out of connections`',
        '- **2026-03-01 10:09** the log ends',
        '',
        '## Errors',
        '- **2×** `timeout after … ms for user …`',
        '- **1×** `out of connections`',
        '',
        '## Warnings',
        '- **1×** `pool is at … %`',
      ].join('\n'),
    );
  });

  it('follows its instructions, and says what it could not follow', async () => {
    expect(await report('Make it shorter')).not.toContain('## Warnings');
    expect(await report('shorter', 'shorter', 'shorter')).toMatch(/## Errors\n- \*\*2×\*\* `timeout.*`$/);
    expect(await report('shorter', 'longer')).toBe(await report());
    expect(await report('Leave out the warnings and timeline')).not.toMatch(/## (?:Timeline|Warnings)/);
    expect(await report('Title: The long morning')).toMatch(/^# The long morning\n/);
    expect(await report('Paint it blue')).toMatch(
      /^\*I did not understand:\* “Paint it blue”\..*`shorter`.*`title: TEXT`\./,
    );
  });

  it('can be made of an empty log', async () => {
    const empty = writeReport(await summarise('/x/empty.log', []), facts, []);
    expect(empty).toMatch(/\*\*340 customers affected\.\*\* 0 errors and 0 warnings in 0 lines of `empty.log`\.$/);
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
    const tokens = { organisation: 'org' };
    service = await startCrewService({ crews: [incidentReportCrew()], tokens, redisUrl: redis.socketPath });
    crew = crewCaller(service.baseUrlOf('incident-report'), 'org');
    conversation = converse({ service, receiver, dialect: 'spec', token: 'org' });
  });

  afterAll(async () => {
    await service.close();
    await receiver.close();
    await redis.stop();
    await rm(folder, { recursive: true });
  });

  it('writes the report and follows feedback', async () => {
    const run = await conversation.start('incident-report', { ...inputs, customers_affected: '340', severity: 'SEV2' });
    const first = await run.pause(1);
    expect(first.body.task_output).toContain('**340 customers affected.**');
    await run.resume(first, { approved: false, text: 'leave out the timeline' });
    const second = await run.pause(2);
    expect(second.body.task_output).not.toContain('Timeline');
    await run.resume(second, { approved: true, text: 'Approved.' });
    expect(await run.result()).toBe(second.body.task_output);
  });

  it.each([
    ['severity', 'sev9', 400, 'severity: '],
    ['started_on', '2026-02-30', 400, 'started_on: '],
    ['customers_affected', -1, 400, 'customers_affected: can’t be less than 0'],
    ['customers_affected', '-1', 400, 'customers_affected: can’t be less than 0'],
    ['customers_affected', 3.5, 400, 'customers_affected: must be a whole number'],
    ['customers_affected', 'many', 400, 'customers_affected: must be a number'],
    ['customers_affected', '', 422, 'customers_affected'],
    ['log_file', undefined, 422, 'log_file'],
  ])('refuses %s = %j with %i: %s', async (name, value, status, sentence) => {
    const answer = await crew.post('/kickoff', { inputs: { ...inputs, [name]: value } });
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(sentence)]);
  });

  it.each([
    ['relative.log', 'must be an absolute path'],
    ['/nowhere/app.log', 'There is no file'],
    ['/tmp', 'There is no file'],
  ])('fails with a sentence for the log file %s', async (file, sentence) => {
    const { body } = await crew.post('/kickoff', { inputs: { ...inputs, log_file: file } });
    expect((await conversation.endOf('incident-report', textIn(body, 'kickoff_id'))).error).toContain(sentence);
  });
});
