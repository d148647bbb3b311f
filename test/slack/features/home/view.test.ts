import { describe, expect, it } from 'vitest';
import { readState, SEARCH_LIMIT, turned, WHOLE, writeState } from '../../../../src/slack/features/home/state.ts';
import { sayIn } from '../../../../src/slack/language/say.ts';
import { METADATA_LIMIT } from '../../../../src/slack/ui/limits.ts';
import { home, homeRun, openRequest, pastDecision, waitingFor } from '../../ui/home-views.ts';
import { jon, maria, NOW } from '../../ui/models.ts';
import { said } from '../../ui/said.ts';

const shows = (...view: Parameters<typeof home>) => said(home(...view));

const named = (taskName: string, run: Parameters<typeof openRequest>[0] = {}) => openRequest({ taskName, ...run });

describe('the view of a Home', () => {
  it('says of a request what it is about, who asks, and what has happened to it', () => {
    const request = openRequest({
      ...{ round: 3, repeatsRound: 2, isEscalated: true, voters: [jon.id] },
      handedOver: [{ to: maria, by: jon, at: NOW, until: null }],
    });
    const shown = shows(
      { waiting: waitingFor(request) },
      { text: '# Notes\n\nAll *good*.\n\nMore.', change: { quorumOf: () => 3 } },
    );
    expect(shown).toContain(
      '*publish* · Release notes · round 3\n> Notes\n> All good.\nStarted by Maria · <#C0RELEASE> · ',
    );
    expect(shown).toContain('1 of 3 approvals · escalated · Jon added you as an approver · same text as in round 2');
    expect(shown).toContain('Select publish of Release notes for Maria');
    expect(shown).not.toContain('More.');
    expect(shows({ waiting: waitingFor(openRequest({ run: { starter: null } })) })).toContain('Started outside Slack');
  });

  it('says of runs and requests that their crew isn’t set up', () => {
    const run = { crewMissing: true } as const;
    const shown = shows({ waitingForOthers: [openRequest({ run })] }, { runs: [homeRun(run)] });
    expect(shown.split('isn’t set up in Signoff at the moment')).toHaveLength(3);
  });

  it('names its rows of buttons: a click at the moment of a publication would be lost with a row that Slack names', () => {
    const { blocks } = home({ waiting: waitingFor(openRequest()) });
    const rows = blocks.filter(({ type }) => type === 'actions');
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter(({ block_id }) => block_id === undefined)).toEqual([]);
  });

  it('says what is no longer stored, and what Slack can’t tell', () => {
    const shown = shows({ waiting: waitingFor(openRequest()), unsure: 3 }, { text: null });
    expect(shown).toContain('The text is no longer stored.');
    expect(shown).toContain('Slack can’t say right now whether you can decide 3 more requests.');
  });

  it('says by whom and how fast something was decided', () => {
    const both = pastDecision({ by: [jon.id, maria.id], decidedAt: NOW - 500_000 + 240_000 });
    const closed = pastDecision({ outcome: 'closed', by: [] });
    const changes = pastDecision({ outcome: 'reject' });
    const shown = shows({ decided: [both, closed, changes] });
    expect(shown).toContain('Approved by U0JON and U0MARIA after 4 min');
    expect(shown).toContain('Nobody decided within 4 min');
    expect(shown).toContain('Rejected by U0JON after 4 min');
  });

  it('finds words in names, channels and inputs, in any case and without accents', () => {
    const waiting = waitingFor(
      named('Prüfung', { run: { starter: { id: 'U0ANA', name: 'Ana López' } } }),
      named('draft', { run: { channel: 'C0DOCS', inputs: { topic: 'Tea in Kyōto' } } }),
    );
    const found = (words: string) => {
      const shown = shows({ waiting }, { state: { words } });
      return [shown.includes('*Prüfung*'), shown.includes('*draft*')];
    };
    expect(found('PRUFUNG lopez')).toEqual([true, false]);
    expect(found('kyoto')).toEqual([false, true]);
    expect(found('docs')).toEqual([false, true]);
    expect(found('release notes')).toEqual([true, true]);
    expect(found('lopez kyoto')).toEqual([false, false]);
    expect(shows({ waiting }, { state: { words: 'nobody' } })).toContain('None of 2 is shown');
  });

  it('is narrowed to one crew and one channel, which stay to be chosen', () => {
    const waiting = waitingFor(
      named('one', { run: { crew: 'A' } }),
      named('two', { run: { crew: 'B', channel: 'C0DOCS' } }),
    );
    const shown = shows({ waiting }, { state: { crew: 'A' } });
    expect([shown.includes('*one*'), shown.includes('*two*')]).toEqual([true, false]);
    expect(shown).toContain('#docs');
    const gone = home({ waiting }, { state: { crew: 'C', channel: 'C0GONE' } });
    expect(JSON.stringify(gone)).toContain('"initial_option":{"text":{"type":"plain_text","text":"C"');
  });

  it('shows the nearest page that there is', () => {
    const waiting = waitingFor(...Array.from({ length: 9 }, (_, i) => named(`task ${i}`)));
    const shown = shows({ waiting }, { state: turned(WHOLE, 'waiting', 7) });
    expect(shown).toContain('*task 8*');
    expect(shown).toContain('Page 2 of 2');
  });

  it('counts runs in progress, and shows how others ended', () => {
    const shown = shows({}, { runs: [homeRun({ ref: 'a' }), homeRun({ ref: 'b', status: 'failed', endedAt: NOW })] });
    expect(shown).toContain('1 run of yours in progress');
    expect(shown).toContain('*Release notes* · Failed');
  });

  it('speaks German', () => {
    const shown = shows({ waiting: waitingFor(openRequest()) }, { change: { say: sayIn('de') } });
    expect(shown).toContain('1 Anfrage wartet auf dich');
    expect(shown).toContain('publish von Release notes für Maria auswählen');
  });
});

describe('what a person looks at', () => {
  it('survives in the metadata of a view, as far as it fits', () => {
    const state = { crew: 'A', channel: 'C1', words: 'tea', pages: { waiting: 1, others: 2, runs: 3, decided: 4 } };
    expect(readState(writeState(state))).toEqual(state);
    const long = '"\u0000'.repeat(5_000);
    const written = writeState({ ...state, crew: long, channel: long, words: long });
    expect(written.length).toBeLessThan(METADATA_LIMIT);
    expect(readState(written).words.length).toBeLessThanOrEqual(SEARCH_LIMIT);
  });

  it.each(['', 'null', '[]', '{"crew":7,"pages":{"waiting":-1}}', '{"pages":'])(
    'is everything if %s is not ours',
    (metadata) => {
      expect(readState(metadata)).toEqual(WHOLE);
    },
  );
});
