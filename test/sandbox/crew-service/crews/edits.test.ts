import { describe, expect, it } from 'vitest';
import { withEditedText } from '../../../../src/core/request/edits.ts';
import type { Decision } from '../../../../src/core/state/request.ts';
import { approvedText, withEdits, withoutEdits } from '../../../../src/sandbox/crew-service/crews/edits.ts';
import { findEdits } from '../../../../src/slack/features/edit/find-edits.ts';
import { editsAsFeedback, parseEdits } from '../../../../src/slack/request/edits/edit-list.ts';
import { findFollowedEdits } from '../../../../src/slack/request/edits/ticks.ts';

const DRAFT = [
  '# Release notes: kettle\n',
  '**3 changes** by **2 authors** since `v1.0`.\n',
  '## Features\n- **stove:** Boil faster (`1111111`, Ana)\n- **lid:** Whistle “twice” (`2222222`, Ben)\n',
  '## Fixes\n- Stop dripping (`3333333`, Ana)',
].join('\n');
const FIXES = '\n\n## Fixes\n- Stop dripping (`3333333`, Ana)';

/** What Signoff sends of somebody who made one text of the other. */
function sent(text: string): string {
  const edits = findEdits(`${DRAFT}\n`, { start: 0, end: DRAFT.length + 1, replace: `${text}\n` });
  return editsAsFeedback(edits, 'en');
}

describe('edits', () => {
  it.each([
    ['replace words', DRAFT.replace('Boil faster', 'Boil twice as fast')],
    ['replace words between marks', DRAFT.replace('Whistle “twice”', 'Whistle once')],
    ['delete words', DRAFT.replace(' (`1111111`, Ana)', '')],
    ['delete a line', DRAFT.replace('- **stove:** Boil faster (`1111111`, Ana)\n', '')],
    ['delete several lines', DRAFT.replace(FIXES, '')],
    ['add words', DRAFT.replace('kettle', 'kettle and pot')],
    ['add lines', `${DRAFT}\n- Close the lid\n- Open the lid`],
    [
      'change several places',
      DRAFT.replace('kettle', 'pot').replace('Stop dripping', 'Never drip').replace('Ben', 'B'),
    ],
  ])('that %s are made as they were sent', (_, wanted) => {
    const feedback = sent(wanted);
    const { draft, notMade } = withEdits(DRAFT, [feedback]);
    expect({ draft, notMade }).toEqual({ draft: wanted, notMade: [] });
    expect(withoutEdits(feedback).trim()).toBe('');
    const made = findFollowedEdits(parseEdits(feedback), { oldText: `${DRAFT}\n`, nextText: `${draft}\n` });
    expect([...made.values()]).not.toContain(false);
  });

  it('of a long part are made with its beginning and end alone', () => {
    const text = `Before. A long part that ${'goes on, '.repeat(40)}and then ends there. After.`;
    const edits = ['Delete', 'Replace'].map(
      (verb) => `- ${verb} everything from “A long part” to “ends there.”${verb === 'Delete' ? '' : ' with “Short.”'}.`,
    );
    expect(edits.map((edit) => withEdits(text, [edit]).draft)).toEqual(['Before.  After.', 'Before. Short. After.']);
  });

  it('of earlier rounds are made again, and leave what else was said', () => {
    const feedback = [
      'Shorter.\n- Replace “dripping” with “it”.',
      'Replace "Stop it" with "Drip less". Longer',
      '- Delete “x”',
    ];
    expect(withEdits('- Stop dripping', feedback)).toEqual({ draft: '- Stop it', notMade: ['Delete “x”'] });
    expect(feedback.map((text) => withoutEdits(text).trim())).toEqual([
      'Shorter.',
      'Replace "Stop it" with "Drip less". Longer',
      '',
    ]);
  });

  it('that are approved make the text that is approved the draft, in which later ones are made', () => {
    const approved = withEditedText({ text: 'Approved with these edits:' } as Decision, DRAFT).text;
    const noted = withEditedText({ text: 'For Monday.\n\nApproved with these edits:' } as Decision, DRAFT).text;
    expect([approved, noted].map(withoutEdits)).toEqual(['', 'For Monday.\n\n']);
    expect([approved, noted].map((each) => withEdits('Another', [each, 'Delete “milk”']))).toEqual([
      { draft: DRAFT, notMade: ['Delete “milk”'] },
      { draft: DRAFT, notMade: ['Delete “milk”'] },
    ]);
    expect(withEdits('Another', [approved, 'Replace “kettle” with “pot”']).draft).toBe(DRAFT.replace('kettle', 'pot'));
    expect([
      approvedText('Another', [{ text: noted }, { text: 'Approved.' }]),
      approvedText('Another', [{ text: 'Approved.' }]),
    ]).toEqual([DRAFT, 'Another']);
  });

  it('that a draft doesn’t allow are named: words that it lacks or has twice, and places that overlap', () => {
    const edits = ['Delete “tea”', 'Delete “e”', 'Replace “the pot” with “it”', 'Delete “pot boils”'];
    expect(withEdits('A kettle and the pot boils', [edits.join('\n')])).toEqual({
      draft: 'A kettle and the',
      notMade: ['Delete “e”', 'Delete “tea”', 'Replace “the pot” with “it”'],
    });
  });
});
