import { describe, expect, it } from 'vitest';
import type { CardModel } from '../../../../src/core/messages/view-models.ts';
import { parseApprovalValue } from '../../../../src/slack/ui/button-value.ts';
import { sayIn } from '../../../support/say.ts';
import { approvalCard } from '../../ui/approval-card.ts';
import { card, deciders, decision, jon, maria, name, rejection, say, vote } from '../../ui/models.ts';
import { actionsOf, partsOf, said } from '../../ui/said.ts';

const shown = (
  change: Partial<CardModel> = {},
  output: string | null = 'A *fine* post.',
  notes: 'offered' | 'hidden' = 'offered',
) =>
  approvalCard(card(change), {
    output,
    preview: 700,
    notes,
    edits: 'offered',
    deciders: deciders(),
    name,
    rendering: 'full',
    say,
  });

const buttonOf = (message: ReturnType<typeof shown>, id: string) =>
  partsOf(message.blocks).find((part) => part.action_id === id);

const LONG = `# Notes\n\n${'A sentence about tea. '.repeat(28)}\n\n## Tests\n\n${'More words. '.repeat(150)}\n\n## Thanks\n\nAll.`;
const entriesOf = (message: ReturnType<typeof shown>) =>
  partsOf(message.blocks)
    .flatMap(({ type, options }) => (type === 'overflow' ? partsOf(options) : []))
    .flatMap(({ value }) => (typeof value === 'string' ? [value] : []));

describe('an approval card', () => {
  it('says what is asked, of which task, who started the run and can decide, and shows the text', () => {
    const { blocks } = shown();
    expect(blocks[0]).toMatchObject({ type: 'header', text: { text: 'Approval needed: Write the post' } });
    expect(said(shown())).toContain('\nResearch · Started by Maria\n');
    expect(said(shown())).toContain('A *fine* post.');
  });

  it('says who can decide right above its buttons, and its heading only once', () => {
    const [deciding, buttons] = shown({ round: 2 }).blocks.slice(-2);
    expect(deciding).toMatchObject({ type: 'section', text: { text: 'Anyone in the workspace can decide' } });
    expect(buttons).toMatchObject({ type: 'actions' });
    expect(said({ text: '', blocks: shown({ round: 2 }).blocks }).match(/Write the post/g)).toHaveLength(1);
  });

  it('says what its run is about, unless the text itself begins with it', () => {
    const about = 'Bees & <honey>';
    expect(said(shown({ about }))).toContain('\nResearch · Bees &amp; &lt;honey&gt; · Started by Maria\n');
    expect(shown({ about }).text).toMatch(/^Approval needed: Write the post · Research · Bees &amp; &lt;honey&gt;\n/);
    expect(said(shown({ about, starter: null }))).toContain('&lt;honey&gt; · Started outside Slack\n');
    expect(said(shown({ about: 'Notes' }, '# Notes\n\nAll.'))).toContain('\nResearch · Started by Maria\n');
    expect(shown({ about: 'Notes' }, '# Notes\n\nAll.').text).toContain('Research\nNotes\n');
  });

  it('offers to approve and to reject, and the rest in a menu', () => {
    expect(actionsOf(shown())).toEqual(['approve', 'reject', 'edit', 'more']);
    expect(entriesOf(shown())).toEqual(['approve_with_note r1 1', 'who_can_decide r1 1', 'hand_over r1 1']);
    expect(entriesOf(shown({}, 'x', 'hidden'))).toEqual(['who_can_decide r1 1', 'hand_over r1 1']);
  });

  it('names the request and the text in its buttons', () => {
    const value = (id: string) => String(buttonOf(shown({}, LONG.repeat(10)), id)?.value);
    expect(parseApprovalValue(value('approve'))).toEqual({ ref: 'r1', approvalId: '1', hash: 'a'.repeat(64) });
    const read = { ref: 'r1', approvalId: '1', hash: 'a'.repeat(64), isRead: true };
    expect(parseApprovalValue(value('review'))).toEqual(read);
    expect(parseApprovalValue('someone else’s')).toBeNull();
  });

  it('quotes the feedback that led here', () => {
    const words = said(shown({ round: 2, ledBy: rejection('Shorter, <!channel>.') }));
    expect(words).toContain('\nResearch · Started by Maria · Round 2, after a rejection by Maria\n');
    expect(words).toContain('Shorter, <!channel>.');
    expect(shown({ round: 2, ledBy: rejection('Shorter.') }).blocks[2]).toMatchObject({
      type: 'rich_text',
      elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text: 'Shorter.' }] }],
    });
  });

  it('shows feedback that is written as a list point by point', () => {
    const [, , list] = shown({ round: 2, ledBy: rejection('- Shorter.\n- Name <!channel>.') }).blocks;
    expect(list).toMatchObject({ type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet' }] });
    expect(said({ text: '', blocks: list ? [list] : [] })).toContain('Name <!channel>.');
  });

  it('asks for confirmation if the request may be a repeated notification', () => {
    const message = shown({ round: 3, repeatsRound: 2 });
    expect(said(message)).toContain('same text as in round 2');
    for (const id of ['approve', 'approve_with_note', 'reject'])
      expect(buttonOf(message, id)).toHaveProperty('confirm');
    expect(buttonOf(shown(), 'approve')).not.toHaveProperty('confirm');
    const confirmed = shown({ round: 3, repeatsRound: 2, isConfirmedRepeat: true });
    expect(said(confirmed)).not.toContain('perhaps');
    expect(buttonOf(confirmed, 'approve')).toHaveProperty('confirm');
  });

  it('says which of several calls of its task it is about, open and decided', () => {
    const call = { number: 2, count: 3 };
    expect(said(shown({ call }))).toContain('Write the post, 2 of 3');
    const state = { kind: 'told', decision: rejection('Too long.') } as const;
    expect(said(shown({ call, state }))).toContain('Maria rejected “Write the post”, 2 of 3');
  });

  it('collapses to the verdict, its feedback and whether the crew has it, once there is one', () => {
    const message = shown({ state: { kind: 'told', decision: rejection('Too long.') } });
    expect(message.blocks.map(({ type }) => type)).toEqual(['section', 'rich_text', 'context']);
    expect(actionsOf(message)).toEqual(['review']);
    expect(said(message)).toMatch(
      /^\*?↩️ \*Maria rejected “Write the post”\*\nReview\nToo long\.\nResearch · <!date.*> · Sent to the crew\.$/,
    );
    expect(message.text).toContain('Maria rejected “Write the post”');
    expect(JSON.stringify(message)).not.toContain('<@');
    const approved = shown({ state: { kind: 'told', decision: decision() } });
    expect(approved.blocks.map(({ type }) => type)).toEqual(['section', 'context']);
    expect(said(approved)).toContain('✅ *Maria approved “Write the post”*');
  });

  it('keeps a list of feedback as one, with its first points', () => {
    const points = ['Shorter.', 'Name the dates.', 'No emoji.', 'Link the issue.', 'Thank Aiko.', 'And Jon.'];
    const feedback = points.map((point) => `- ${point}`).join('\n');
    const [, quoted] = shown({ state: { kind: 'told', decision: rejection(feedback) } }).blocks;
    const items = points.slice(0, 4).map((text) => ({ elements: [{ type: 'text', text }] }));
    expect(quoted).toMatchObject({
      type: 'rich_text',
      elements: [{ type: 'rich_text_list', style: 'bullet', elements: items }, { type: 'rich_text_quote' }],
    });
  });

  it('says that it was declined, and leads to where the run can be ended while it may go on', () => {
    const no = { ...decision({ verdict: 'decline', feedback: 'Wrong product.' }), text: null };
    const details = {
      output: 'x',
      preview: 700,
      notes: 'offered',
      edits: 'offered',
      deciders: deciders(),
      name,
      rendering: 'full',
      say,
    } as const;
    const closed = (isOver: boolean, votes = [vote(jon)].slice(1)) =>
      approvalCard(card({ votes, state: { kind: 'declined', decision: no, isOver } }), {
        ...details,
        controlUrl: 'https://panel.example.com/runs',
      });
    expect(said(closed(false))).toContain('⛔ *Maria declined “Write the post”*');
    expect(said(closed(false))).toContain('Wrong product.');
    expect(said(closed(false))).toContain('Signoff can’t end a run, so it may go on waiting.');
    expect(buttonOf(closed(false), 'open_link')).toMatchObject({
      url: 'https://panel.example.com/runs',
      text: { text: 'End it at panel.example.com' },
    });
    expect(actionsOf(closed(true))).toEqual(['review']);
    expect(said(closed(true))).not.toContain('may go on');
    expect(said(closed(false, [vote(jon)]))).toContain('Maria declined “Write the post” after Jon had approved');
    const told = shown({ state: { kind: 'told', decision: decision({ verdict: 'decline', feedback: 'No.' }) } });
    expect(said(told)).toContain('The crew was told, and nothing more is asked in this run.');
  });

  it('asks for the note that an approval takes, and offers no edits where rejections take no text', () => {
    const message = approvalCard(card(), {
      ...{ output: 'x', preview: 700, notes: 'required', edits: 'hidden', deciders: deciders() },
      ...{ name, rendering: 'full', say },
    });
    expect(actionsOf(message)).toEqual(['approve', 'reject', 'more']);
    expect(buttonOf(message, 'approve')).toMatchObject({ text: { text: 'Approve…' } });
    expect(entriesOf(message)).toEqual(['who_can_decide r1 1', 'hand_over r1 1']);
  });

  it('still says what its run is about once it is decided, in its three lines', () => {
    const message = shown({ about: 'Bees & <honey>', state: { kind: 'told', decision: rejection('Too long.') } });
    expect(message.blocks.map(({ type }) => type)).toEqual(['section', 'rich_text', 'context']);
    expect(said(message)).toContain('↩️ *Maria rejected “Write the post”* · Bees &amp; &lt;honey&gt;\n');
    expect(message.text).toContain('Maria rejected “Write the post” · Research · Bees &amp; &lt;honey&gt;. Sent');
  });

  it('shortens a long feedback, which the full text shows', () => {
    const feedback = 'word '.repeat(500);
    const message = shown({ state: { kind: 'told', decision: rejection(feedback) } });
    expect(said(message)).toContain('word wo');
    expect(said(message).length).toBeLessThan(500);
  });

  it.each([
    [null, 'Sending to the crew…'],
    ['unreachable', 'can’t be reached right now. The decision is saved; Signoff keeps trying.'],
    ['busy', 'is starting or busy. The decision is saved, and is sent as soon as the service takes it.'],
  ] as const)('says how a decision fares on its way: %s', (delayedBy, words) => {
    expect(said(shown({ state: { kind: 'telling', decision: decision(), delayedBy } }))).toContain(words);
  });

  it('offers to send a decision again, or to run the crew again, where the service doesn’t know the run', () => {
    const failure = { kind: 'refused', code: 'not-found', status: 404, detail: 'Execution not found' } as const;
    const message = shown({ state: { kind: 'failed', decision: decision(), failure } });
    for (const words of ['not delivered', 'doesn’t know this run', 'The decision is saved', 'Execution not found'])
      expect(said(message)).toContain(words);
    expect(actionsOf(message)).toEqual(expect.arrayContaining(['send_again', 'run_again']));
    const ask = shown({ isAsk: true, state: { kind: 'failed', decision: decision(), failure } });
    expect(actionsOf(ask)).toContain('send_again');
    expect(actionsOf(ask)).not.toContain('run_again');
  });

  it('offers to send a refused decision again, with the reason and the crew’s own answer', () => {
    const failure = { kind: 'refused', code: 'unauthorized', status: 401, detail: 'Invalid <token>' } as const;
    const message = shown({ state: { kind: 'failed', decision: decision(), failure } });
    expect(actionsOf(message)).toEqual(['review', 'send_again']);
    expect(said(message)).toContain('⚠️ *Maria approved “Write the post”, not delivered*');
    expect(said(message)).toContain('doesn’t accept Signoff’s access token');
    expect(said(message)).toContain('The crew’s answer (HTTP 401): Invalid &lt;token&gt;');
  });

  it.each([
    ['user-token-refused', 'doesn’t accept Maria’s own token'],
    ['no-user-token', 'needs Maria’s own token'],
  ] as const)('names the person whose token it takes, for %s', (code, words) => {
    const failure = { kind: 'refused', code, status: 0, detail: '' } as const;
    const message = shown({ state: { kind: 'failed', decision: decision(), failure } });
    for (const part of [words, '/kickoff connect Research']) expect(said(message)).toContain(part);
    expect(actionsOf(message)).toEqual(['review', 'send_again']);
  });

  it('warns before an unconfirmed decision is sent again', () => {
    const message = shown({ state: { kind: 'failed', decision: decision(), failure: { kind: 'not-confirmed' } } });
    expect(said(message)).toContain('approved “Write the post”, not confirmed');
    expect(said(message)).toContain('didn’t confirm this decision');
    expect(said(message)).toContain('may decide the crew’s next question');
  });

  it.each([
    ['newer-round', 'asked again before anybody decided'],
    ['ended', 'The run ended before anybody decided'],
    ['unfollowed', 'was stopped before anybody decided'],
    ['declined', 'The run was declined before anybody decided'],
  ] as const)('says why it is closed by %s', (by, words) => {
    const message = shown({ state: { kind: 'superseded', decision: null, by } });
    expect(said(message)).toContain(words);
    expect(actionsOf(message)).toEqual(['review']);
  });

  it('says that a decision came too late', () => {
    const state = { kind: 'superseded', decision: decision({ by: jon }), by: 'ended' } as const;
    expect(said(shown({ state }))).toContain('before Jon’s decision reached the crew');
  });

  it('says that the text is no longer stored, or was empty', () => {
    expect(said(shown({}, null))).toContain('no longer stored');
    expect(said(shown({}, ' \n'))).toContain('empty text');
  });

  it('says what it leaves out of a text, and has all of it in a container that is folded', () => {
    const message = shown({}, LONG);
    expect(said(message)).toMatch(/tea\.\nWhole text · 416 words · 2 more paragraphs\n/);
    expect(message.blocks.filter(({ type }) => type === 'container')).toMatchObject([
      { is_collapsible: true, default_collapsed: true, child_blocks: [{ type: 'section', expand: true }] },
    ]);
    expect(actionsOf(message)[0]).toBe('approve');
    expect(said(shown({}, LONG.slice(0, 600)))).not.toContain(' more ');
  });

  it('shows code as it is, with no entities in it, and everything else as Markdown', () => {
    const { blocks } = shown({}, 'Look:\n\n```ts\nif (a > b && c < d) <!channel>\n```\n\n*Done* <!here>');
    expect(blocks.slice(3, 6)).toMatchObject([
      { type: 'markdown', text: 'Look:' },
      { type: 'rich_text', elements: [{ elements: [{ text: 'if (a > b && c < d) <!channel>' }] }] },
      { type: 'markdown', text: '*Done* &lt;!here&gt;' },
    ]);
  });

  it('cuts no text that would be as high with what stands below its beginning', () => {
    const crowded = { round: 2, ledBy: rejection('Shorter, and name the dates. '.repeat(6)), votes: [vote(maria)] };
    const text = 'Is this ready?\n\n# Green tea\n\nTea is here. What it brings:\n\n- It is hot';
    const message = approvalCard(card(crowded), {
      ...{ output: text, preview: null, notes: 'offered', edits: 'offered', deciders: deciders() },
      ...{ name, rendering: 'full', say },
    });
    expect(said(message)).toContain('- It is hot');
    expect(message.blocks.map(({ type }) => type)).not.toContain('container');
  });

  it('leads to all of a text that no container holds', () => {
    const message = shown({}, LONG.repeat(10));
    expect(message.blocks.map(({ type }) => type)).not.toContain('container');
    expect(actionsOf(message)[0]).toBe('review');
  });

  it('shows half as much of a text that was revised where the crew says how many characters', () => {
    const text = 'A sentence about tea. '.repeat(60);
    const lengthOf = (change: Partial<CardModel>) =>
      JSON.stringify(shown(change, text).blocks.find(({ type }) => type === 'markdown')).match(/about tea/g)?.length;
    expect([lengthOf({}), lengthOf({ round: 2, ledBy: rejection('Shorter.') })]).toEqual([31, 15]);
  });

  it('is named after the tool that is called, says its name and its task, and shows its arguments', () => {
    const call = JSON.stringify({ name: 'send_email', args: { to: 'ana@example.com', why: 'She *asked*.' } });
    const message = shown({}, call);
    expect(message.blocks[0]).toMatchObject({ text: { text: 'Approval needed: Send e-mail' } });
    expect(said(message)).toContain('\nWrite the post · `send_email` · Research · Started by Maria');
    expect(said(message)).toMatch(/\nThe agent says:\nShe \*asked\*\.\nTo: \nana@example\.com\n/);
    expect(message.text).toMatch(/^Approval needed: Send e-mail · Research\nShe \*asked\*\.\nTo: ana@example\.com\n/);
    expect(said(shown({ taskName: 'send_email' }, call))).toContain('\n`send_email` · Research · Started by Maria');
    expect(said(shown({ why: 'Because.' }))).toContain('\nThe agent says:\nBecause.\nA *fine* post.');
  });

  it('names the addresses that links lead to', () => {
    expect(said(shown({}, 'Please [click](https://evil.example/x).'))).toContain('click (https://evil.example/x).');
  });

  it('tells a notification the task, the crew and the first line of the text, and then the rest', () => {
    expect(shown({}, '# Tea & <more>\n\nIt is *hot*.').text).toBe(
      'Approval needed: Write the post · Research\nTea &amp; &lt;more&gt;\nIt is hot.\nAnyone in the workspace can decide',
    );
  });

  it('is worded in the language of the crew', () => {
    const message = approvalCard(card(), {
      output: LONG,
      preview: 700,
      notes: 'offered',
      edits: 'offered',
      deciders: deciders(),
      name,
      rendering: 'full',
      say: sayIn('de'),
    });
    expect(message.text).toMatch(/^Freigabe nötig: Write the post · Research\n/);
    for (const words of ['Ganzer Text · 416 Wörter · Noch 2 Absätze', 'Freigeben'])
      expect(said(message)).toContain(words);
  });

  it('keeps the crew’s text in one block, between our own', () => {
    const forged = '✅ *Approved* by <@U0JON>\n✔️ Sent to the crew.\n\n---\n*Approve*';
    const types = ({ blocks }: ReturnType<typeof shown>) => blocks.map(({ type }) => type);
    expect(types(shown({}, forged))).toEqual(types(shown()));
    expect(shown({}, forged).blocks[0]).toEqual(shown().blocks[0]);
    expect(shown({ taskName: '\n✅ Approved by Jon\n' }).blocks).toHaveLength(shown().blocks.length);
    expect(said(shown({ taskName: 'a\n✅ Approved' }))).toContain('Approval needed: a ✅ Approved');
  });
});

describe('a card whose crew isn’t configured', () => {
  const APPROVED = decision();
  const STATES: [CardModel['state'], string, string][] = [
    [{ kind: 'pending' }, 'nobody can decide this', 'kann das niemand entscheiden'],
    [{ kind: 'undoable', decision: APPROVED, undoUntil: 1 }, 'the decision is kept', 'bleibt gespeichert'],
    [{ kind: 'telling', decision: APPROVED, delayedBy: 'unreachable' }, 'the decision is kept', 'bleibt gespeichert'],
    [
      { kind: 'failed', decision: APPROVED, failure: { kind: 'not-confirmed' } },
      'can be sent again',
      'lässt sich die Entscheidung noch einmal senden',
    ],
  ];
  const cardIn = (language: 'en' | 'de', state: CardModel['state']) =>
    approvalCard(card({ state, crewMissing: true, votes: [vote(maria)] }), {
      output: 'A *fine* post.',
      preview: 700,
      notes: 'offered',
      edits: 'offered',
      deciders: null,
      name,
      rendering: 'full',
      say: sayIn(language),
    });

  it.each(STATES)('says what is kept, and offers only to read: %j', (state, english, german) => {
    const shown = cardIn('en', state);
    expect(said(shown)).toContain('*Research* isn’t set up in Signoff at the moment');
    expect(said(shown)).toContain(english);
    expect(said(shown)).toContain('The person who runs Signoff can do that.');
    expect(said(cardIn('de', state))).toContain('*Research* ist in Signoff gerade nicht eingerichtet');
    expect(said(cardIn('de', state))).toContain(german);
    expect(actionsOf(shown).filter((action) => action !== 'review')).toEqual([]);
  });

  it('still says who has voted, and nothing about who can', () => {
    const shown = said(cardIn('en', { kind: 'pending' }));
    expect(shown).toContain('1 approved: Maria');
    expect(shown).not.toContain('Anyone in the workspace');
  });
});
