import { describe, expect, it } from 'vitest';
import type { CardModel } from '../../../../src/core/messages/view-models.ts';
import { DEFAULT_POLICY, type Policy } from '../../../../src/core/policy/policy.ts';
import { MINUTE_MS } from '../../../../src/core/values/time.ts';
import type { LastDecision } from '../../../../src/slack/features/home/last-decision.ts';
import type { HomeDetails } from '../../../../src/slack/features/home/model.ts';
import {
  clearSelection,
  MOST_AT_ONCE,
  readSelection,
  selectAllIn,
} from '../../../../src/slack/features/home/selection.ts';
import { type HomeState, readState, SEARCH_LIMIT, writeState } from '../../../../src/slack/features/home/state.ts';
import { METADATA_LIMIT } from '../../../../src/slack/ui/limits.ts';
import { inForce } from '../../../support/rules-in-force.ts';
import { sayIn } from '../../../support/say.ts';
import { home, homeRun, openRequest, pastDecision, WHOLE, waitingFor } from '../../ui/home-views.ts';
import { card, completes, counts, decision, jon, maria, NOW, policy, staged } from '../../ui/models.ts';
import { partsOf, said } from '../../ui/said.ts';

const shows = (...view: Parameters<typeof home>) => said(home(...view));

const named = (taskName: string, run: Parameters<typeof openRequest>[0] = {}) => openRequest({ taskName, ...run });

describe('the view of a Home', () => {
  it('says of a request what it is about, who asks, and what has happened to it', () => {
    const request = openRequest({
      ...{ round: 3, repeatsRound: 2, escalated: [''], voters: [jon.id] },
      handedOver: [{ to: maria, by: jon, at: NOW, until: null }],
    });
    const shown = shows(
      { waiting: waitingFor(request) },
      {
        text: '# Notes\n\nAll *good*.\n\nMore.',
        change: { policiesOf: () => [inForce(policy({ quorum: 3 }), { isEscalated: true })] },
      },
    );
    expect(shown).toContain('1. *publish* · Release notes · Round 3\n“Notes – All good. More.”\n');
    expect(shown).toContain('waiting 5 min · same text as in round 2 · <https');
    expect(shown).not.toContain('escalated');
    const whole = shows(
      { waitingForOthers: [request] },
      { change: { policiesOf: () => [inForce(policy({ quorum: 3 }), { isEscalated: true })] } },
    );
    expect(whole).toContain(
      [
        'waiting 5 min · same text as in round 2 · 1 of 3 approvals · added by Jon · escalated',
        'by Maria · <#C0RELEASE> · <https://example.slack.com/archives/C0RELEASE/p1763689700000000|Thread>',
      ].join(' · '),
    );
    expect(shows({ waiting: waitingFor(openRequest({ run: { starter: null } })) })).toContain('Started outside Slack');
  });

  it('shows the beginning of a text in quotation marks that the text can’t close, and no title that says it, too', () => {
    const gistOf = (text: string, about = '') => said(home({ waiting: waitingFor(openRequest({ about })) }, { text }));
    expect(gistOf('# Tea\n\nIt is *good*.', 'Tea')).toMatch(/publish(?!.*· Tea).*\n“Tea – It is good.”/);
    expect(gistOf('Fine.” · *✅ approved* · “And')).toContain('“Fine.’ · ✅ approved · ’And”');
    expect(gistOf('Word '.repeat(40))).toMatch(/“Word [^”]{30,40}…”/);
  });

  it('cuts a title to one line of a phone, the longest of its parts first', () => {
    const long = openRequest({ taskName: 'publish', about: 'All that there is to say about green tea', round: 2 });
    const [title = ''] = /1\. [^\n]*/.exec(shows({ waiting: waitingFor(long) })) ?? [];
    expect(title).toMatch(/^1\. \*publish\* · Releas… · All th… · Round 2$/);
    expect(title.replaceAll('*', '').length).toBeLessThanOrEqual(42);
  });

  it('says which stage is open, and how many of those who have to approve have', () => {
    const rules = staged(
      { Peer: {}, 'Release <2>': { approvers: ['@legal', '@security'], allOf: ['@legal', '@security'] } },
      1,
    );
    const change = { policiesOf: () => [inForce(rules)] };
    const countedAs = [{ rule: '@legal', seat: '@legal' }, { rule: '@legal' }];
    const request = openRequest({ voters: [jon.id, 'U0AIKO'], countedAs });
    expect(shows({ waitingForOthers: [request] }, { change })).toContain(
      '1 of 2 approvals · stage 2 of 2, *Release &lt;2&gt;*',
    );
    const others = { waitingForOthers: [openRequest({ votersBefore: [maria.id] })] };
    expect(shows(others, { change })).toMatch(/0 of 2 approvals · .* · you have approved a stage before/);
  });

  it('says why the person can decide, as long as that counts', () => {
    const shownWith = (until: number | null, change: Partial<HomeDetails> = {}) =>
      shows({ waiting: waitingFor(openRequest({ handedOver: [{ to: maria, by: jon, at: 1, until }] })) }, { change });
    expect(shownWith(null)).toContain('added by Jon');
    expect(shownWith(NOW + 1)).toContain('for Jon, who is away');
    expect(shownWith(NOW)).not.toContain('Jon');
    expect(shownWith(null, { policiesOf: () => [inForce(policy({ delegation: 'none' }))] })).not.toContain('Jon');
  });

  it('says of runs and requests that their crew isn’t set up', () => {
    const run = { crewMissing: true } as const;
    const shown = shows({ waitingForOthers: [openRequest({ run })] }, { runs: [homeRun(run)] });
    expect(shown.split('isn’t set up in Signoff at the moment')).toHaveLength(3);
  });

  it('asks for the note that an approval takes', () => {
    const shownWith = (approve: Policy['comment']['approve']) => {
      const policiesOf = () => [inForce(policy({ comment: { ...DEFAULT_POLICY.comment, approve } }))];
      return JSON.stringify(home({ waiting: waitingFor(openRequest()) }, { change: { policiesOf } }).blocks);
    };
    expect(shownWith('required')).toContain('"text":"Approve…"');
    expect(shownWith('optional')).not.toContain('"text":"Approve…"');
  });

  it('says that nothing more is asked in a run', () => {
    const run = { state: 'declined' } as const;
    expect(shows({}, { runs: [homeRun(run)] })).toContain('*Release notes* · cardwall · Declined');
  });

  it('names its rows of buttons: a click at the moment of a publication would be lost with a row that Slack names', () => {
    const { blocks } = home({ waiting: waitingFor(openRequest(), openRequest({ approvalId: '2' })) });
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
    const no = pastDecision({ outcome: 'decline' });
    const shown = shows({ decided: [both, closed, changes, no] });
    expect(shown).toContain('Approved by U0JON and U0MARIA after 4 min');
    expect(shown).toContain('No decision within 4 min');
    expect(shown).toContain('Rejected by U0JON after 4 min');
    expect(shown).toContain('Declined by U0JON after 4 min');
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
    const nobody = shows({ waiting }, { state: { words: 'nobody' } });
    expect(nobody).toContain('Results for “nobody”');
    expect(nobody).toContain('No matches (2 hidden)');
  });

  it('finds starters by the name that is shown, channels and inputs in every list', () => {
    const run = { starter: jon, channel: 'C0DOCS', inputs: { topic: 'sev3' } };
    const record = {
      ...run,
      about: '',
      taskId: 't',
      taskName: 'publish',
      round: 1,
      askedAt: NOW,
      stages: [],
      isTitled: false,
      escalated: [],
      handedOver: [],
      answer: null,
      cardTs: null,
    };
    const request = openRequest({ run });
    const lists = {
      waiting: waitingFor(request),
      waitingForOthers: [request],
      decided: [pastDecision({ record }), pastDecision()],
    };
    const name = ({ id }: { id: string }) => (id === jon.id ? 'Jonathan Bell' : id);
    const found = (words: string) =>
      shows(lists, { runs: [homeRun(run), homeRun({ starter: maria })], state: { words }, change: { name } });
    for (const words of ['jonathan', 'docs', 'SEV3']) {
      expect(found(words).match(/(started|Started|·) by Jonathan Bell/g)).toHaveLength(4);
      expect(found(words)).not.toContain('No matches');
    }
    expect(found('nowhere').match(/No matches \(\d hidden\)/g)).toEqual([
      ...['No matches (1 hidden)', 'No matches (1 hidden)', 'No matches (2 hidden)', 'No matches (2 hidden)'],
    ]);
  });

  it('says of a decided request which answer was given', () => {
    const given = (answer: string | null) => {
      const asked = {
        taskId: 't',
        taskName: 'publish',
        isTitled: false,
        round: 1,
        askedAt: NOW,
        inputs: {},
        stages: [],
      };
      const where = { channel: 'C0', about: '', starter: null, handedOver: [], escalated: [], cardTs: null };
      return shows({ decided: [pastDecision({ record: { ...asked, ...where, answer } })] });
    };
    expect(given(null)).toMatch(/Approved by .+ after/);
    expect(given('')).toMatch(/Answered by .+ after/);
    expect(given('ship <it>')).toMatch(/ chose “ship &lt;it&gt;” after/);
  });

  it('says how long each has waited, and how long what closes within a day still will', () => {
    const ages = [0, 4, 7, 59, 60, 119, 25 * 60, 49 * 60].map((minutes) => {
      const asked = openRequest({ askedAt: NOW - minutes * MINUTE_MS });
      return shows({ waiting: waitingFor(asked) }).match(/waiting (?!for you)[^\n·]*[^\n· ]/)?.[0];
    });
    expect(ages).toEqual([
      ...['waiting 1 min', 'waiting 4 min', 'waiting 5 min', 'waiting 55 min', 'waiting 1 h', 'waiting 1 h'],
      ...['waiting 1 day', 'waiting 2 days'],
    ]);
    const left = (ms: number) => shows({ waiting: waitingFor(openRequest({ expireAt: NOW + ms })) });
    expect(left(42 * MINUTE_MS)).toContain('⏳ *expires in 40 min* · waiting');
    expect(left(MINUTE_MS)).toContain('*expires in 1 min*');
    expect(left(1_000)).toContain('*expires in less than 1 min*');
    expect(left(25 * 60 * MINUTE_MS)).not.toContain('expires');
  });

  it('tells ten requests of one crew apart, in each label', () => {
    const versions = Array.from({ length: 10 }, (_, i) => `v1.${i}`);
    const waiting = waitingFor(...versions.map((about, i) => openRequest({ approvalId: String(i), about })));
    const view = home({ waiting: [...waiting] });
    const labels = (type: string, action: string) =>
      partsOf(view.blocks).flatMap((part) =>
        part.type === type && part.action_id === action ? [part.accessibility_label ?? part.options] : [],
      );
    for (const action of ['approve', 'review', 'reject']) {
      const spoken = labels('button', action);
      expect(spoken).toHaveLength(10);
      expect(new Set(spoken).size).toBe(10);
    }
    expect(labels('button', 'approve')[3]).toBe('Approve v1.3, publish');
    expect(said(view)).toContain('10. *publish* · Release notes · v1.9');
    const alike = waitingFor(openRequest({ approvalId: '1' }), openRequest({ approvalId: '2' }));
    expect(JSON.stringify(home({ waiting: alike }))).toMatch(/Approve publish \(1\).*Approve publish \(2\)/s);
  });

  it('leaves out empty lists, but says that nothing waits', () => {
    const shown = shows({});
    expect(shown).toContain('Nothing is waiting for you');
    for (const list of ['Waiting for others', 'Your runs', 'Recently decided']) expect(shown).not.toContain(list);
  });

  it('has the green button where one decides', () => {
    const primary = (...seen: Parameters<typeof home>) =>
      partsOf(home(...seen).blocks).flatMap((part) => (part.style === 'primary' ? [part.action_id] : []));
    const request = openRequest();
    const key = { ref: 'r1', approvalId: '1', hash: request.output.hash };
    expect(primary({})).toEqual([]);
    expect(primary({ waiting: waitingFor(request) })).toEqual(['approve']);
    expect(primary({ waiting: waitingFor(request) }, { state: { ticked: [key] } })).toEqual([
      ...['approve_selected', 'approve'],
    ]);
  });

  it('asks before it approves what may be a repeated notice', () => {
    const confirms = (repeatsRound: number | null) =>
      JSON.stringify(home({ waiting: waitingFor(openRequest({ repeatsRound })) })).includes('Approve anyway');
    expect([confirms(null), confirms(2)]).toEqual([false, true]);
  });

  it('leads from what waits to its card in the thread, once there is one', () => {
    const request = openRequest();
    expect(shows({ waiting: waitingFor({ ...request, cardTs: '7.8' }) })).toContain(
      `/archives/${request.run.channel}/p78|Thread>`,
    );
    expect(shows({ waiting: waitingFor({ ...request, cardTs: null }) })).not.toContain('|Thread>');
  });

  it('says what was just decided, with the way to take it back', () => {
    const decidedNow = (kind: LastDecision['kind'], model: Partial<CardModel>, standing = counts(1, 2)) =>
      shows({}, { last: { kind, model: card({ about: 'v1.2', ...model }), standing } });
    const undoable = { kind: 'undoable', decision: decision(), undoUntil: NOW } as const;
    const approved = decidedNow('approved', { state: undoable });
    expect(approved).toMatch(/✅ You approved \*[^*]+\* · [^·]+ · v1\.2.*Until then, you can undo it\..*Undo/s);
    const sent = decidedNow('approved', { state: { kind: 'told', decision: decision() } });
    expect(sent).toMatch(/\n\*[^*]+\* continues\./);
    expect(sent).not.toContain('Undo');
    const votes = [{ by: maria, for: null, at: NOW, feedback: null, ownTokenOnly: false }];
    expect(decidedNow('voted', { votes } as never)).toMatch(
      /You approved .*v1\.2\n1 of 2 approvals\..*Withdraw my vote/s,
    );
    const staged = decidedNow('voted', {}, completes('Peer', 'Release'));
    expect(staged).toMatch(/You approved .*v1\.2\n\*Peer\* is complete; \*Release\* is next\./s);
    expect(staged).not.toContain('Withdraw my vote');
    expect(decidedNow('reopened', {})).toContain('Waiting for a decision again: *');
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
    const waiting = waitingFor(...Array.from({ length: 11 }, (_, i) => named(`task ${i}`)));
    const shown = shows({ waiting }, { state: { pages: { ...WHOLE.pages, waiting: 7 } } });
    expect(shown).toContain('*task 10*');
    expect(shown).toContain('Page 2 of 2');
  });

  it('counts runs in progress, and shows how others ended', () => {
    const shown = shows({}, { runs: [homeRun({ ref: 'a' }), homeRun({ ref: 'b', state: 'failed', endedAt: NOW })] });
    expect(shown).toContain('1 of your runs in progress');
    expect(shown).toContain('*Release notes* · cardwall · Failed');
  });

  it('speaks German', () => {
    const shown = shows({ waiting: waitingFor(openRequest()) }, { change: { say: sayIn('de') } });
    expect(shown).toContain('1 Anfrage wartet auf dich');
    expect(shown).toContain('wartet seit 5 Min.');
  });
});

describe('what a person looks at', () => {
  it('survives in the metadata of a view, as far as it fits', () => {
    const ticked = Array.from({ length: MOST_AT_ONCE }, (_, i) => ({
      ...{ ref: 'r'.repeat(26), approvalId: String(100 + i), hash: 'a'.repeat(64) },
    }));
    const state: HomeState = {
      ...{ crew: 'A', channel: 'C1', words: 'tea', ticked, drawn: 9 },
      pages: { waiting: 1, others: 2, runs: 3, decided: 4 },
      last: { ref: 'r'.repeat(26), approvalId: '100', at: NOW },
    };
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

describe('a selection', () => {
  const key = (n: number) => ({ ref: `r${n}`, approvalId: '1', hash: 'a' });
  const keys = (...numbers: number[]) => numbers.map(key);
  /** What Slack says of the ticks of a view. */
  const seen = (drawn: number, ticks: Record<number, 'ticked' | 'unticked'>) =>
    Object.fromEntries(
      Object.entries(ticks).map(([n, state]) => [
        `tick:r${n}:1:a:${drawn}`,
        { tick: { type: 'checkboxes', selected_options: state === 'ticked' ? [{ value: 'tick' }] : [] } },
      ]),
    );

  it('keeps what another page shows, and takes what is ticked and unticked on this one', () => {
    const before = { ticked: keys(1, 2), drawn: 0 };
    const after = readSelection(seen(0, { 2: 'unticked', 3: 'ticked', 4: 'unticked' }), before);
    expect(after).toEqual({ ticked: keys(1, 3), drawn: 0 });
    expect(readSelection({}, after)).toEqual(after);
  });

  it('takes a whole page, and clears all, with other blocks, in which Slack remembers nothing', () => {
    const all = selectAllIn(seen(0, { 2: 'unticked', 3: 'ticked' }), { ticked: keys(1), drawn: 0 });
    expect(all).toEqual({ ticked: keys(1, 3, 2), drawn: 1 });
    expect(clearSelection(all)).toEqual({ ticked: [], drawn: 2 });
    const late = seen(1, { 1: 'ticked', 2: 'ticked' });
    expect(readSelection(late, clearSelection(all)).ticked).toEqual([]);
  });

  it('holds twenty, and unticks what is ticked beyond', () => {
    const twenty = { ticked: keys(...Array.from({ length: MOST_AT_ONCE }, (_, i) => i)), drawn: 3 };
    expect(readSelection(seen(3, { 99: 'ticked' }), twenty)).toEqual({ ...twenty, drawn: 4 });
  });

  it('is said above the list in words, also what is elsewhere, and what has dropped out', () => {
    const requests = Array.from({ length: 12 }, (_, i) => openRequest({ run: { ref: `r${i}` }, about: `v${i}` }));
    const { hash } = requests[0]?.output ?? { hash: '' };
    const other = { ref: 'r1', approvalId: '1', hash: 'another text' };
    const gone = { ref: 'gone', approvalId: '1', hash };
    const own = { ref: 'own', approvalId: '1', hash };
    const ticked = [...['r0', 'r2', 'r11'].map((ref) => ({ ref, approvalId: '1', hash })), other, gone, own];
    const decided = [pastDecision({ ref: 'own', by: [maria.id] })];
    const view = home({ waiting: waitingFor(...requests), decided }, { state: { ticked } });
    const named = ['v0', 'v2', 'v11'].map((about) => `“publish” of Release notes (${about})`);
    expect(said(view)).toContain(`*3 selected:* ${named[0]}, ${named[1]} and ${named[2]} · 1 of them not shown here`);
    expect(said(view)).toMatch(/3 selected:.*Approve 3 selected….*Clear selection.*1\. \*publish\*/s);
    expect(shows({ waiting: waitingFor(...requests) })).toMatch(/Select requests below.*1\. \*publish\*/s);
    expect(shows({ waiting: waitingFor(...requests) })).not.toContain('Approve 0');
    expect(said(view)).toContain('2 selected requests were decided meanwhile, or their texts have changed.');
    expect(said(view)).toContain('Clear selection');
    expect(JSON.stringify(view).match(/initial_options/g)).toHaveLength(2);
    expect(readState(view.private_metadata).ticked).toHaveLength(3);
  });
});
