import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseError, parseKickoffId, parseResumedId } from '../../src/crew/answers.ts';
import { anyCharacter } from '../support/any-character.ts';

const error = (body: unknown) => parseError(JSON.stringify(body));

describe('the id of a kickoff', () => {
  it.each(['kickoff_id', 'kickoffId', 'execution_id', 'executionId', 'id'])('is read from %s', (name) => {
    expect(parseKickoffId(JSON.stringify({ [name]: 'K1' }))).toBe('K1');
    expect(parseKickoffId(JSON.stringify({ data: { [name]: 7 } }))).toBe('7');
  });

  it('is the kickoff id where there are several', () => {
    expect(parseKickoffId('{"id":"a","execution_id":"b","kickoff_id":"c"}')).toBe('c');
  });

  it('is missing where there is none', () => {
    for (const text of ['', 'OK', '{}', '[]', '{"kickoff_id":""}', '{"kickoff_id":null}', '{"kickoff_id":{}}', '{']) {
      expect(parseKickoffId(text)).toBeNull();
    }
  });
});

it('takes a new kickoff id from a resume, and no other id', () => {
  expect(parseResumedId('{"kickoff_id":"K2"}')).toBe('K2');
  expect(parseResumedId('{"status":"resumed","message":"x","id":"other"}')).toBeNull();
  expect(parseResumedId('')).toBeNull();
});

describe('an error', () => {
  it('is read from detail, message, error or the text', () => {
    expect(error({ detail: 'A', message: 'B' }).detail).toBe('A');
    expect(error({ error: 'code', message: 'B' }).detail).toBe('B');
    expect(error({ error: 'C' }).detail).toBe('C');
    expect(error({ error: { message: 'D' } }).detail).toBe('D');
    expect(parseError('Internal Server Error').detail).toBe('Internal Server Error');
    expect(parseError('').detail).toBe('');
  });

  it('is short plain text, whatever a proxy made of it', () => {
    expect(parseError('<html><body><h1>404 Not Found</h1></body></html>').detail).toBe('404 Not Found');
    expect(error({ detail: 'x'.repeat(5_000) }).detail).toHaveLength(301);
  });

  it('names each field of a validation error', () => {
    const detail = [
      { type: 'missing', loc: ['body', 'executionId'], msg: 'Field required', input: { execution_id: 'E1' } },
      { type: 'missing', loc: ['body', 'taskId'], msg: 'Field required' },
    ];
    expect(error({ detail })).toMatchObject({
      detail: 'executionId: Field required; taskId: Field required',
      fields: ['executionId', 'taskId'],
      missingInputs: [],
    });
  });

  it.each([
    [
      'a list in details',
      { error: 'missing', message: 'Some are missing', details: { missing_inputs: ['topic', 'audience'] } },
    ],
    ['a list', { missing_inputs: ['topic', 'audience'] }],
    ['a sentence', { detail: 'Missing inputs: topic, audience' }],
    ['a sentence with an end', { detail: 'Missing inputs: topic, audience. Try again.' }],
    ['a sentence with quotes', { message: "Missing required inputs: ['topic', 'audience']" }],
    [
      'a validation error',
      { detail: ['topic', 'audience'].map((name) => ({ loc: ['body', 'inputs', name], msg: 'Field required' })) },
    ],
  ])('names the missing inputs in %s', (_, body) => {
    expect(error(body).missingInputs).toEqual(['topic', 'audience']);
  });

  it('names inputs with dots and blanks', () => {
    expect(error({ detail: 'Missing inputs: api.version, target group' }).missingInputs).toEqual([
      'api.version',
      'target group',
    ]);
  });

  it('knows a spent quota', () => {
    expect(error({ detail: 'Monthly execution limit reached' }).isQuota).toBe(true);
    expect(error({ message: 'Quota exceeded' }).isQuota).toBe(true);
    expect(error({ detail: 'Rate limit, try again in 5 s' }).isQuota).toBe(false);
  });

  it('is read from anything', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.json()), (text) => {
        const { detail, missingInputs } = parseError(text);
        expect(detail.length).toBeLessThanOrEqual(301);
        expect(detail).not.toContain('\n');
        expect(missingInputs.length).toBeLessThanOrEqual(50);
      }),
    );
  });
});
