import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it } from 'vitest';
import type { DeployedCrew } from '../../../src/core/policy/crew.ts';
import type { ToldDecision } from '../../../src/core/ports.ts';
import { createAddressSeal, createAskers, whyNotCallback } from '../../../src/crew/asks/askers.ts';
import { signingKeys } from '../../../src/crew/signature.ts';
import { attempt, decision, MARIA, rejection, START, sending } from '../../support/requests.ts';
import { type Answering, startAnsweringServer } from '../answering-server.ts';
import { crew, OLD_SECRET, SECRET, silent } from '../crew-values.ts';

const server = await startAnsweringServer();
afterAll(() => server.close());

const lastSeen = () => server.received.at(-1);
const bodySeen = () => JSON.parse(lastSeen()?.body ?? '');
const REF = 'aaaabbbbccccddddeeeeffff22';

function told(change: Partial<ToldDecision> = {}): ToldDecision {
  return { ref: REF, crew: 'research', request: sending(), editedText: null, ...change };
}

/** Tells the decision to this path of the server, whose host the operator has named unless `change` says otherwise. */
async function tells(
  kind: 'flow' | 'callback',
  path: string,
  { change = {}, effectMs, ...of }: Partial<ToldDecision> & { change?: Partial<DeployedCrew>; effectMs?: number } = {},
) {
  const { host } = new URL(server.origin);
  const addresses = createAddressSeal([SECRET]);
  const asking = crew({ callbackHosts: [host], ...change });
  const askers = createAskers({
    ...{ crews: new Map([[asking.name, asking]]), secrets: [SECRET], addresses, log: silent },
    ...(effectMs !== undefined && { effectMs }),
  });
  try {
    return await askers.tell({ kind, sealedUrl: addresses.seal(`${server.origin}${path}`, REF) }, told(of));
  } finally {
    await askers.close();
  }
}

const refusedFor = (detail: string) => ({ kind: 'refused', failure: { status: 0, detail } });

describe('a decision for a flow', () => {
  it('is its text and where it comes from, at the very address that the flow gave', async () => {
    server.answerWith({ status: 200, body: { status: 'accepted' } });
    const answer = await tells('flow', '/requests/7/respond?token=single-use', {
      request: sending({ decision: rejection() }),
    });
    expect(answer).toEqual({ kind: 'accepted', kickoffId: null });
    expect(lastSeen()).toMatchObject({ method: 'POST', path: '/requests/7/respond?token=single-use' });
    expect(bodySeen()).toEqual({ feedback: 'shorter', source: 'signoff' });
    expect(lastSeen()?.headers.authorization).toBeUndefined();
  });

  it('is void if somebody has answered before', async () => {
    server.answerWith({ status: 409, body: { error: 'already_responded' } });
    expect(await tells('flow', '/respond')).toEqual({ kind: 'void', by: 'elsewhere' });
  });

  it('is not void because an earlier attempt of our own may have arrived', async () => {
    const change = { request: sending({ attempts: [attempt(), attempt({ number: 2 })] }) };
    server.answerWith({ status: 409, body: { error: 'already_responded' } });
    expect(await tells('flow', '/respond', change)).toMatchObject({ kind: 'refused' });
    server.answerWith({ status: 409, body: { message: 'Feedback already provided via dashboard at 9:00' } });
    expect(await tells('flow', '/respond', change)).toEqual({ kind: 'void', by: 'elsewhere' });
  });

  it('that is refused says nothing about the token of the crew, which it doesn’t use', async () => {
    server.answerWith({ status: 401, body: { message: 'Invalid response token' } });
    const failure = { code: 'other', status: 401, detail: 'Invalid response token' };
    expect(await tells('flow', '/respond')).toMatchObject({ kind: 'refused', failure });
  });

  it.each([
    [401, 'refused'],
    [404, 'refused'],
    [302, 'refused'],
    [429, 'unavailable'],
    [500, 'unknown'],
  ])('answered with %i is %s', async (status, kind) => {
    server.answerWith({ status, body: { message: 'no' } });
    expect(await tells('flow', '/respond')).toMatchObject({ kind });
  });

  const SECRET_PART = 'Ab+c/d=&e f~12';
  const encoded = encodeURIComponent(SECRET_PART);

  it.each([
    ['as it is', SECRET_PART],
    ['encoded', encoded],
    ['encoded in lower case', encoded.replace(/%../g, (each) => each.toLowerCase())],
    ['encoded twice', encodeURIComponent(encoded)],
    ['encoded as a form', new URLSearchParams({ a: SECRET_PART }).toString().slice(2).replaceAll('+', '%20')],
    ['escaped for HTML', SECRET_PART.replace('&', '&amp;')],
    ['escaped for JSON', SECRET_PART.replace('&', '\\u0026').replace('/', '\\/')],
  ])('shows nobody the secret of its address that an error quotes %s', async (_, quoted) => {
    for (const path of [`/respond?token=${encoded}`, `/${encoded}/respond`]) {
      server.answerWith({ status: 401, body: `bad: ${quoted}!` });
      expect(await tells('flow', path)).toMatchObject({ failure: { detail: 'bad: …!' } });
    }
  });

  it.each([
    (path: string) => path,
    (path: string) => `https://other.example/login?next=${encodeURIComponent(path)}`,
    (path: string) => `//other.example${path}`,
  ])('shows nobody the secret of its address when it is redirected, only the host %#', async (locationOf) => {
    for (const path of [`/respond?token=${encoded}`, `/${encoded}/respond`, '/short/a1b2']) {
      server.answerWith({ status: 307, headers: { location: locationOf(path) } });
      const answer = await tells('flow', path);
      expect(answer).toMatchObject({
        failure: { detail: expect.stringMatching(/^The service redirects to https?:\/\/[^/]+$/) },
      });
    }
  });
});

describe('a decision for a program', () => {
  it('says who decided what, signed so that any library for standard webhooks can check it', async () => {
    server.answerWith({ status: 204 });
    const chosen = decision({ outcome: 'ship it', feedback: 'fine', text: 'ship it\n\nfine' });
    expect(
      await tells('callback', '/decided', { request: sending({ requestId: 'build-7', decision: chosen }) }),
    ).toMatchObject({ kind: 'accepted' });
    const { headers = {}, body = '' } = lastSeen() ?? {};
    const [key = ''] = signingKeys([SECRET], { purpose: 'callback', crew: 'research' });
    expect(new Webhook(key).verify(body, headers as Record<string, string>)).toEqual({
      type: 'ask.decided',
      timestamp: new Date(START).toISOString(),
      data: {
        id: 'build-7',
        ref: REF,
        status: 'decided',
        decision: 'approved',
        outcome: 'ship it',
        answer: null,
        feedback: 'fine',
        edited_text: null,
        by: { id: MARIA.id, name: MARIA.name },
        decided_at: new Date(START).toISOString(),
      },
    });
  });

  it('has the text that was approved with edits by itself, and below what the person said', async () => {
    server.answerWith({ status: 204 });
    const request = sending({ decision: decision({ text: 'Approved with these edits:' }) });
    await tells('callback', '/decided', { request, editedText: 'All **blue**.' });
    expect(bodySeen()).toMatchObject({
      data: { edited_text: 'All **blue**.', feedback: 'Approved with these edits:\nAll **blue**.' },
    });
    await tells('flow', '/respond', { request, editedText: 'All **blue**.' });
    expect(bodySeen().feedback).toBe('Approved with these edits:\nAll **blue**.');
  });

  it('is signed with a key of its crew, by which nobody signs for another crew', async () => {
    server.answerWith({ status: 204 });
    await tells('callback', '/decided');
    const { headers = {}, body = '' } = lastSeen() ?? {};
    const verifiedWith = (of: string, secret = SECRET) => {
      const [key = ''] = signingKeys([secret], { purpose: 'callback', crew: of });
      return () => new Webhook(key).verify(body, headers as Record<string, string>);
    };
    expect(verifiedWith('research')).not.toThrow();
    for (const other of [verifiedWith('writing'), verifiedWith(''), verifiedWith('research', OLD_SECRET)])
      expect(other).toThrow('No matching signature found');
  });

  it('makes no run of the crew the program’s own, whatever its answer says', async () => {
    server.answerWith({ status: 200, body: { kickoff_id: 'K1' } });
    expect(await tells('callback', '/decided')).toEqual({ kind: 'accepted', kickoffId: null });
  });

  it('has the same id whenever it is sent again', async () => {
    server.answerWith({ status: 204 });
    for (const attempts of [[attempt()], [attempt(), attempt({ number: 2 })]])
      await tells('callback', '/decided', { request: sending({ attempts }) });
    expect(new Set(server.received.slice(-2).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it.each<[string, Answering, object]>([
    ['300', { status: 300 }, { kind: 'unknown' }],
    ['307', { status: 307, headers: { location: 'https://other.example/' } }, { kind: 'unknown' }],
    ['401', { status: 401 }, { kind: 'unknown' }],
    ['404', { status: 404 }, { kind: 'unknown' }],
    ['409', { status: 409 }, { kind: 'unknown' }],
    ['429 for a month', { status: 429, body: 'monthly limit reached' }, { kind: 'unknown' }],
    ['500', { status: 500 }, { kind: 'unknown' }],
    ['503', { status: 503 }, { kind: 'unknown' }],
    ['a reset', (response) => response.socket?.resetAndDestroy(), { kind: 'unknown' }],
    ['silence', () => {}, { kind: 'unknown' }],
    ['half an answer', (response) => void response.writeHead(500).write('{'), { kind: 'unknown' }],
    ['429', { status: 429 }, { kind: 'unavailable', reason: 'busy', waitMs: null }],
    ['a wait', { status: 503, headers: { 'retry-after': '600' } }, { kind: 'unavailable', waitMs: 600_000 }],
    ['a day', { status: 503, headers: { 'retry-after': '86400' } }, { kind: 'unavailable', waitMs: 3_600_000 }],
    ['410', { status: 410, body: 'Nothing is here.' }, { kind: 'refused', failure: { code: 'other', status: 410 } }],
  ])('is taken only by a 2xx, and refused only by 410: %s', async (_, answering, expected) => {
    server.answerWith(answering);
    expect(await tells('callback', '/decided', { effectMs: 500 })).toMatchObject(expected);
  });

  it('says that nobody decided in time', async () => {
    server.answerWith({ status: 200 });
    await tells('callback', '/decided', { request: sending({ decision: rejection({ by: null }) }) });
    expect(bodySeen()).toMatchObject({ data: { status: 'expired', decision: 'expired', by: null, feedback: null } });
  });
});

describe('an address', () => {
  const named = { callbackHosts: ['ci.example.com', 'localhost:8080'] };

  it.each([
    ['https://ci.example.com/a?b=c', null],
    ['http://localhost:8080/a', null],
    ['http://ci.example.com/a', 'must begin with https://'],
    ['https://ci.example.com:444/a', "is on ci.example.com:444, which callback_hosts of the crew doesn't name"],
    [
      'https://ci.example.com.evil.example/',
      "is on ci.example.com.evil.example, which callback_hosts of the crew doesn't name",
    ],
    ['https://ci.example.com@evil.example/', 'must have no user name and no password'],
    ['https://169.254.169.254/', "is on 169.254.169.254, which callback_hosts of the crew doesn't name"],
    ['file:///etc/passwd', 'must begin with https://'],
    ['nonsense', 'is no address'],
  ])('%s: %s', (address, why) => {
    expect(whyNotCallback(address, named)).toBe(why);
  });

  it('is asked about again when the decision is sent', async () => {
    const before = server.received.length;
    const answer = await tells('flow', '/respond', { change: { callbackHosts: [] } });
    expect(answer).toMatchObject(refusedFor(expect.stringContaining("callback_hosts of the crew doesn't name")));
    expect(server.received).toHaveLength(before);
  });

  it('opens for its own request alone, also with a secret of before', () => {
    const sealed = createAddressSeal([OLD_SECRET]).seal('https://ci.example.com/secret', REF);
    expect(sealed).not.toContain('secret');
    const rotated = createAddressSeal([SECRET, OLD_SECRET]);
    expect(rotated.open(sealed, REF)).toBe('https://ci.example.com/secret');
    expect(rotated.open(sealed, 'another')).toBeNull();
    expect(createAddressSeal([SECRET]).open(sealed, REF)).toBeNull();
  });
});
