import type { ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import type { RootModel } from '../../../src/core/messages/view-models.ts';
import type { KickoffDoubt } from '../../../src/core/state/execution.ts';
import type { CrewRefusal } from '../../../src/core/state/request.ts';
import { kickoffTroubleMessage } from '../../../src/slack/features/kickoff/trouble.ts';
import { activityModal } from '../../../src/slack/features/run/activity.ts';
import { endingNotice, failureReply, resultReply } from '../../../src/slack/features/run/replies.ts';
import { statusList } from '../../../src/slack/features/run/status.ts';
import { notePreviewModal, noteValue, readNote } from '../../../src/slack/request/note-modals.ts';
import { lateFeedbackModal, refusalText } from '../../../src/slack/request/refusal.ts';
import { reviewModal } from '../../../src/slack/request/review-modal.ts';
import { reviewValue } from '../../../src/slack/ui/button-value.ts';
import { jumpedTo } from '../../../src/slack/ui/text-page.ts';
import { LINK } from './every-view.ts';
import { card, deciders, decision, jon, maria, NOW, name, refusalDetails, root, say } from './models.ts';
import { actionsOf, partsOf, said } from './said.ts';

const ended = {
  ...{
    ref: 'r1',
    crew: 'Research',
    about: 'Bees <1>',
    mentioned: [maria],
    createdAt: NOW - 60_000,
    endedAt: NOW,
    name,
  },
  ...{ rendering: 'full' as const, preview: 700, say },
};
const mentions = (shown: unknown) => JSON.stringify(shown).match(/<@/g) ?? [];

describe('the end of a run', () => {
  it('mentions the starter once and shows the result', () => {
    const message = resultReply({ ...ended, result: { hash: 'c', length: 9 }, output: '# Bees' });
    expect(mentions(message)).toHaveLength(1);
    expect(said(message)).toContain('# Bees');
    expect(actionsOf(message)).toEqual(['run_again']);
  });

  it('tells a notification which run it was, and how long it took', () => {
    const done = resultReply({ ...ended, endedAt: NOW + 349_000, result: null, output: null });
    expect(done.text).toBe('✅ Research finished in 6 min 49 s.\nBees &lt;1&gt;');
    expect(failureReply({ ...ended, error: 'No ink' }).text).toBe(
      '❌ Research failed after 1 min.\nBees &lt;1&gt;\nNo ink',
    );
    // The root of the thread says that already.
    expect(said(done)).toMatch(/^✅ <@\w+>: \*Finished\.\*\n/);
    expect(said(done)).not.toMatch(/Research|6 min/);
  });

  it('tells those who aren’t in the channel where, unless they can’t open it', () => {
    const shown = (link: string | null) => endingNotice('completed', ended, { channel: 'C0RELEASE2', link });
    expect(said(shown(LINK))).toMatch(/finished in 1 min\.\nBees &lt;1&gt; · <#C0RELEASE2> · <.*\|Open the thread>$/);
    expect(said(shown(null))).toMatch(/finished in 1 min\.\nBees &lt;1&gt;$/);
  });

  it('shows as much of the result as the crew’s preview, and offers the rest', () => {
    const output = 'Bees are busy. '.repeat(100);
    const message = resultReply({ ...ended, result: { hash: 'c', length: output.length }, output });
    expect(said(message).length).toBeLessThan(1_000 + 600);
    expect(actionsOf(message)).toEqual(['review', 'run_again']);
  });

  it('mentions nobody for a run that was started elsewhere', () => {
    expect(mentions(failureReply({ ...ended, mentioned: [], error: 'x' }))).toEqual([]);
  });

  it('says what happened and what to do if it failed', () => {
    const message = failureReply({ ...ended, error: 'Out of <memory>' });
    expect(mentions(message)).toHaveLength(1);
    expect(said(message)).toContain('Out of <memory>');
    expect(said(message)).toContain('Run it again');
  });
});

describe('a kickoff that failed', () => {
  const codes: CrewRefusal[] = [
    'bad-request',
    'unauthorized',
    'user-token-refused',
    'no-user-token',
    'not-found',
    'missing-inputs',
    'quota',
    'unreachable',
    'busy',
    'other',
  ];
  const doubts: KickoffDoubt[] = ['no-answer', 'server-error', 'no-id', 'interrupted'];
  const refused = (code: CrewRefusal, missing = ['topic']) =>
    kickoffTroubleMessage(
      { ref: 'r1', crew: 'Research', trouble: { kind: 'refused', refusal: { code, detail: '', missing } } },
      say,
    );

  it('has a sentence of its own for each reason', () => {
    const doubted = doubts.map((doubt) =>
      kickoffTroubleMessage({ ref: 'r1', crew: 'Research', trouble: { kind: 'doubt', doubt } }, say),
    );
    const texts = [...codes.map((code) => refused(code)), ...doubted].map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => /HTTP|\b[45]\d\d\b/.test(text))).toEqual([]);
  });

  it('offers to fill in what is missing, or to try again', () => {
    expect(actionsOf(refused('missing-inputs'))).toEqual(['fill_in']);
    expect(said(refused('missing-inputs', ['topic', 'audience']))).toContain(
      'can’t start without “topic” and “audience”',
    );
    expect(actionsOf(refused('quota'))).toEqual(['try_again']);
    expect(actionsOf(refused('user-token-refused'))).toEqual(['connect_token', 'try_again']);
    expect(actionsOf(refused('no-user-token'))).toEqual(['connect_token', 'try_again']);
  });
});

describe('private answers', () => {
  it('tell who was faster and when', () => {
    const text = refusalText({ kind: 'already-decided', decision: decision({ by: jon }) }, refusalDetails());
    expect(text).toContain('Jon already approved this (<!date^');
  });

  it('give back feedback that came too late', () => {
    const view = lateFeedbackModal('Maria was faster.', { typed: 'Use *fewer* <b>words</b>.' }, say);
    expect(said(view)).toContain('Maria was faster');
    expect(said(view)).toContain('Use *fewer* <b>words</b>.');
    const longest = `${'line\n'.repeat(599)}last.`;
    expect(said(lateFeedbackModal('Too late.', { typed: longest }, say))).toContain(longest);
  });

  it('show a note exactly as the crew will receive it', () => {
    const note = readNote({ note: { any: { type: 'plain_text_input', value: ' Fine, but *shorter* <!here>. \n' } } });
    const key = { ref: 'r1', approvalId: '1', hash: 'h1' };
    const view = notePreviewModal({ ...key, crew: 'Research', note, text: note, needed: 0, soonMs: null }, say);
    expect(said(view)).toContain('Fine, but *shorter* <!here>.');
    expect(noteValue.read(view.private_metadata ?? '')).toEqual({ ...key, note, review: 'unasked' });
    expect(noteValue.read('x')).toBeNull();
  });

  it('list what is going on, with links', () => {
    const openCard = { ts: '1.2', round: 1, taskName: 'Draft <1>', undelivered: null };
    const model = root({ run: { status: 'waiting' }, openCard, about: 'Bees & honey' });
    const entry = { model, leftWaiting: null, cardLink: LINK };
    const lists = (link: string) => said(statusList([{ ...entry, link }], { now: NOW, name, say }));
    const words = lists('https://example.slack.com/archives/C1/p1');
    expect(lists(LINK), 'of a thread that begins with the card').not.toContain('Open the thread');
    expect(words).toMatch(
      /\*Research\*: Waiting for approval · Bees &amp; honey · started about 3 min ago by Maria\n<.*\|Open the thread> · <.*\|Open the approval>: Draft &lt;1&gt;/,
    );
    expect(said(statusList([], { now: NOW, name, say }))).toContain('Nothing is running');
  });
});

describe('the activity', () => {
  it('promises nothing about a run that may have ended', () => {
    expect(said(activityModal([], { crew: 'Research', say }))).toMatch(
      /Nothing has been heard from the agents of \*Research\*\./,
    );
  });
});

describe('the list of what is going on', () => {
  const busy = root({ run: { status: 'running' } });
  const asking = root({
    run: { status: 'waiting' },
    openCard: { ts: '1.2', round: 1, taskName: null, undelivered: null },
  });
  const list = (models: RootModel[]) =>
    said(
      statusList(
        models.map((model) => ({ model, leftWaiting: null, link: LINK, cardLink: model.openCard && LINK })),
        { now: NOW, name, say },
      ),
    );

  it('lists as much as a Slack message holds, and says how much is left out', () => {
    expect(list(Array.from({ length: 25 }, () => busy)).match(/Open the thread/g)).toHaveLength(25);
    const many = list(Array.from({ length: 200 }, () => busy));
    const shown = many.match(/Open the thread/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(25);
    expect(many).toContain('200 runs in progress');
    expect(many).toContain(`${200 - shown} more runs don’t fit here`);
  });

  it('begins with the runs that wait for a decision, however old', () => {
    const words = list([...Array.from({ length: 60 }, () => busy), asking]);
    expect(words).toContain('61 runs in progress · 1 waiting for approval');
    expect(words.indexOf('Waiting for approval')).toBeLessThan(words.indexOf('Running'));
    expect(words).toContain('Open the approval');
  });
});

describe('the pages of a text', () => {
  const key = { ref: 'r1', hash: 'h', title: 'Report' };
  const text = Array.from({ length: 900 }, (_, i) => `Paragraph ${i} of the report.`).join('\n\n');
  const pageOf = (whole: string, page: number) => reviewModal({ key, text: whole, page, request: null }, say);
  const page = (at: number) => pageOf(text, at);
  const turned = (view: ModalView, id: string) =>
    reviewValue.read(String(partsOf(view.blocks).find((part) => part.action_id === id)?.value));

  it('turn in both directions up to the ends', () => {
    expect(said(page(0))).toMatch(/^\*Report\* · Page 1 of 4\n/);
    expect(said(page(0)).match(/Page 1 of 4/g)).toHaveLength(1);
    expect(actionsOf(page(0))).toEqual(['review_next']);
    expect(actionsOf(page(1))).toEqual(['review_previous', 'review_next']);
    expect(actionsOf(page(3))).toEqual(['review_previous']);
    expect(turned(page(1), 'review_next')).toEqual({ ...key, page: 2 });
    expect(turned(page(1), 'review_previous')).toEqual({ ...key, page: 0 });
  });

  it('lead to their headings', () => {
    const long = `# Report\n\n${text}\n\n## Costs <!here>\n\nNone.`;
    expect(actionsOf(pageOf(long, 1))).toEqual(['review_heading', 'review_previous', 'review_next']);
    const options = partsOf(pageOf(long, 0).blocks).flatMap((part) =>
      typeof part.value === 'string' && /^\d+:/.test(part.value) ? [part.value] : [],
    );
    expect(options.map(jumpedTo)).toEqual([0, 3]);
  });

  it('leave nothing out', () => {
    const all = [0, 1, 2, 3].map((at) => said(page(at))).join('\n');
    expect(all.match(/Paragraph \d+ of the report\./g)).toHaveLength(900);
  });

  it('go on with the next part, up to the end of any text that isn’t attached as a file', () => {
    const lines = Array.from({ length: 12_000 }, (_, i) => `Line ${i} of it. 😀`);
    const at = (page: number) => pageOf(lines.join('\n'), page);
    const turnedTo = (page: number, id: string) => turned(at(page), id)?.page ?? null;
    expect(said(at(0))).toContain('Part 1 of 2\n');
    expect(turnedTo(0, 'review_previous')).toBeNull();
    const seen: string[] = [];
    const pages: number[] = [];
    for (let page: number | null = 0; page !== null; page = turnedTo(page, 'review_next')) {
      if (pages.length > 0) expect([pages.at(-1), 1_000 - 1]).toContain(turnedTo(page, 'review_previous'));
      pages.push(page);
      seen.push(said(at(page)));
    }
    expect(pages).toContain(1_000);
    expect(said(at(999))).toBe(said(at(pages[pages.indexOf(1_000) - 1] ?? 0)));
    const numbers = [...seen.join('\n').matchAll(/Line (\d+) of it\. 😀/g)].map(([, number]) => Number(number));
    // A part may end within a line.
    expect(numbers.length).toBeGreaterThanOrEqual(lines.length - 1);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(seen.join()).not.toContain('attached');
  });

  it('continue a code block of the previous page', () => {
    const code = `\`\`\`\n${'const a = 1;\n'.repeat(1_500)}\`\`\`\n\nThe end.`;
    const second = pageOf(code, 1);
    expect(partsOf(second.blocks).filter(({ type }) => type === 'rich_text_preformatted')).toHaveLength(1);
  });

  it('say where the rest of a huge text of a request is', () => {
    const model = card();
    const request = { model, notes: 'offered', edits: 'offered', deciders: deciders(), name } as const;
    const shown = { key: { ref: 'r1', hash: model.output.hash }, text: 'word '.repeat(1_000_000), request };
    expect(said(reviewModal({ ...shown, page: 999 }, say))).toContain('attached as a file');
    expect(said(reviewModal({ ...shown, page: 999, unattached: 'Why.' }, say))).toMatch(/Part 1 of \d+\nWhy\./);
  });
});
