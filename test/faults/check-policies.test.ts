import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/core/ledger/entry.ts';
import { EXPIRY_TEXT } from './policies.ts';
import { alert, click, direct, entry, order, violationsOf, votesOf } from './story-under-test.ts';

const { asked, voted, withdrawn, decided, undone, refused, sent, expired, reminded } = entry;
const APPROVED = order(true, 'Approved.');
const NOBODY = { verdict: 'reject', text: { sha256: sha256(EXPIRY_TEXT), length: EXPIRY_TEXT.length } } as const;

describe('a history in which everything is as it should be', () => {
  it('violates nothing with a quorum', () => {
    const entries = [
      ...[asked(), refused('UMARIA'), voted('UJON'), withdrawn('UJON'), voted('UJON')],
      ...[decided('UANA', votesOf('UJON')), sent()],
    ];
    const clicks = [
      ...[click('UMARIA', 'approve'), click('UJON', 'approve'), click('UJON', 'withdraw'), click('UJON', 'approve')],
      click('UANA', 'approve'),
    ];
    expect(violationsOf({ policy: 'quorum', entries, clicks, orders: [APPROVED] })).toEqual([]);
  });

  it('violates nothing with a decision that was undone', () => {
    const entries = [asked(), decided('UJON', { undo_ms: 1_000 }), undone('UANA'), decided('UANA'), sent()];
    const clicks = [click('UJON', 'approve'), click('UANA', 'undo'), click('UANA', 'approve')];
    expect(violationsOf({ policy: 'undo', entries, clicks, orders: [APPROVED] })).toEqual([]);
  });

  it('violates nothing with reminders and an expiry', () => {
    const entries = [asked(), reminded(['UJON']), expired('reject'), decided(null, NOBODY), sent()];
    const orders = [order(false, EXPIRY_TEXT)];
    expect(violationsOf({ policy: 'rejecting', entries, orders, alerts: [alert('UJON')] })).toEqual([]);
  });
});

it('direct messages about a request go to each person once', () => {
  const alerts = [direct('UJON'), direct('UANA'), direct('UJON')];
  expect(violationsOf({ policy: 'undo', entries: [asked()], alerts })).toContain(
    'direct:1:UJON of r was posted more than once',
  );
});

describe('votes', () => {
  it('may not be lost once they are acknowledged', () => {
    expect(violationsOf({ policy: 'quorum', entries: [asked()], clicks: [click('UJON', 'approve')] })).toEqual([
      'an acknowledged click to approve in round 1 by UJON has no entry in the ledger',
      'what UJON did last in round 1 was lost: approve',
    ]);
  });

  it('may not be lost when they are given again', () => {
    const entries = [asked(), voted('UJON'), withdrawn('UJON')];
    const clicks = [click('UJON', 'approve'), click('UJON', 'withdraw'), click('UJON', 'approve')];
    const lost = 'what UJON did last in round 1 was lost: approve';
    expect(violationsOf({ policy: 'quorum', entries, clicks })).toEqual([lost]);
  });

  it('have one entry each', () => {
    const entries = [asked(), voted('UJON'), voted('UJON')];
    const twice = '1 clicks to approve in round 1 by UJON have 2 entries in the ledger';
    expect(violationsOf({ policy: 'quorum', entries, clicks: [click('UJON', 'approve')] })).toEqual([twice]);
  });

  it('count only if they are in the ledger and stand', () => {
    const entries = [asked(), voted('UJON'), withdrawn('UJON'), decided('UANA', votesOf('UJON'))];
    const unknown = "the vote of UJON was counted, and isn't in the ledger";
    expect(violationsOf({ policy: 'quorum', entries, orders: [APPROVED] })).toEqual([unknown]);
  });
});

describe('refusals', () => {
  it('have one entry each', () => {
    const entries = [asked(), refused('UMARIA'), refused('UMARIA')];
    const twice = '1 clicks to approve in round 1 by UMARIA have 2 entries in the ledger';
    expect(violationsOf({ policy: 'quorum', entries, clicks: [click('UMARIA', 'approve')] })).toEqual([twice]);
  });
});

describe('decisions', () => {
  it('need as many people as the quorum, and different ones', () => {
    const entries = [asked(), voted('UJON'), decided('UJON', votesOf('UJON'))];
    const few = 'the decision to approve request 1 has 1 of 2 people';
    expect(violationsOf({ policy: 'quorum', entries, orders: [APPROVED] })).toEqual([few]);
  });

  it('are never made by the starter who may not', () => {
    const entries = [asked(), voted('UMARIA'), decided('UJON', votesOf('UMARIA'))];
    const own = 'the decision to approve request 1 was made by the starter';
    expect(violationsOf({ policy: 'quorum', entries, orders: [APPROVED] })).toEqual([own]);
  });

  it('are made by nobody only when a request that nobody decided is rejected', () => {
    const entries = [asked(), decided(null)];
    const nobody = 'the decision to approve request 1 was made by nobody';
    expect(violationsOf({ policy: 'rejecting', entries, orders: [APPROVED] })).toEqual([nobody]);
  });

  it('arrive if their window has ended', () => {
    const entries = [asked(), decided('UJON', { undo_ms: 1_000 })];
    const lost = 'the decision to approve request 1 never arrived, and no card says so';
    expect(violationsOf({ policy: 'undo', entries })).toEqual([lost]);
  });

  it('are sent once', () => {
    const twice = 'the decision to approve request 1 was sent more than once by the bot';
    const orders = [APPROVED, APPROVED];
    expect(violationsOf({ policy: 'everybody', entries: [asked(), decided('UJON')], orders })).toEqual([twice]);
  });

  it('are not sent once they are undone', () => {
    const entries = [asked(), decided('UJON', { undo_ms: 1_000 }), undone('UANA')];
    const sentAll = 'the crew received a decision that was undone';
    expect(violationsOf({ policy: 'undo', entries, orders: [APPROVED] })).toEqual([sentAll]);
  });

  it('are not sent while they can be undone', () => {
    const entries = [asked(), decided('UJON', { undo_ms: 60_000 }), sent()];
    const early = 'the ledger has “sent” for a request that is decided';
    expect(violationsOf({ policy: 'undo', entries, orders: [APPROVED] })).toEqual([early]);
  });

  it('have an entry before they reach the crew', () => {
    const unknown = 'the crew received what nobody decided';
    expect(violationsOf({ policy: 'everybody', entries: [asked()], orders: [APPROVED] })).toEqual([unknown]);
  });
});

describe('what happens by itself', () => {
  it('closes a request once', () => {
    expect(violationsOf({ policy: 'closing', entries: [asked(), expired('close'), expired('close')] })).toEqual([
      'the ledger has “expired” for a request that is closed',
      'the ledger has “expired” of one request more than once',
    ]);
  });

  it('rejects a request once', () => {
    const entries = [asked(), expired('reject'), decided(null, NOBODY), decided(null, NOBODY)];
    const orders = [order(false, EXPIRY_TEXT), order(false, EXPIRY_TEXT)];
    const twice = 'the ledger has “decided” for a request that is decided';
    expect(violationsOf({ policy: 'rejecting', entries, orders })).toEqual([twice]);
  });

  it('sends nothing to the crew of a request that was closed', () => {
    const unknown = 'the crew received what nobody decided';
    const orders = [order(false, EXPIRY_TEXT)];
    expect(violationsOf({ policy: 'closing', entries: [asked(), expired('close')], orders })).toEqual([unknown]);
  });

  it('mentions nobody twice', () => {
    const alerts = [alert('UJON'), { ...alert('UJON'), ts: '1.4' }];
    expect(violationsOf({ policy: 'rejecting', entries: [asked(), reminded(['UJON'])], alerts })).toEqual([
      'alert:1:1 of r was posted more than once',
      'UJON was mentioned 2 times, and the ledger says 1',
      'alert:1:1 of r was posted more than once',
    ]);
  });

  it('mentions nobody whom the ledger does not name', () => {
    const more = 'UANA was mentioned 1 times, and the ledger says 0';
    const alerts = [alert('UJON', 'UANA')];
    expect(violationsOf({ policy: 'rejecting', entries: [asked(), reminded(['UJON'])], alerts })).toEqual([more]);
  });
});

describe('the chain', () => {
  it('follows from its beginning', () => {
    const hash = '0'.repeat(64);
    const broken = { entries: [{ ...asked(), seq: 1, ref: 'r', prev: '', hash }], head: hash };
    const changed = "entry 1 of the ledger doesn't follow from those before it";
    expect(violationsOf({ policy: 'everybody', entries: [], broken })).toEqual([changed]);
  });

  it('ends where the record says', () => {
    const other = 'the record knows another end of its chain';
    expect(violationsOf({ policy: 'everybody', entries: [asked()], broken: { head: '' } })).toEqual([other]);
  });

  it('is what waits to be sealed', () => {
    const other = 'what waits to be sealed is not the end of the chain';
    const broken = { unsealed: ['0'.repeat(64)] };
    expect(violationsOf({ policy: 'everybody', entries: [asked()], broken })).toEqual([other]);
  });
});
