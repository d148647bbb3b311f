import { expect, it } from 'vitest';
import { findRules } from '../../../src/core/policy/rules.ts';
import { findEdits } from '../../../src/slack/features/edit/find-edits.ts';
import { editsAsFeedback } from '../../../src/slack/request/edits/edit-list.ts';
import { renderCard } from '../../../src/slack/thread/render.ts';
import { execution } from '../../support/executions.ts';
import { decision, delivered, output, pending, START } from '../../support/requests.ts';
import { say } from '../ui/models.ts';
import { said } from '../ui/said.ts';

const OLD = 'A long post.\n\n- It is about tea.\n- It is bitter.';
const WANTED = 'A short post.\n\n- It is about green tea.';
const FEEDBACK = editsAsFeedback(findEdits(`${OLD}\n`, { start: 0, end: OLD.length, replace: WANTED }), 'en');

/** The card of the second round, after this feedback. */
async function cardWith(texts: Record<string, string>, feedback = FEEDBACK): Promise<string> {
  const rejected = decision({ verdict: 'reject', feedback, text: feedback });
  const request = pending({ id: '2', taskId: 'draft', round: 2, output: output('two') });
  const requests = [
    delivered({ id: '1', taskId: 'draft', round: 1, output: output('one'), decision: rejected }),
    request,
  ];
  const card = await renderCard(
    {
      outputs: {
        get: async (_, hash) => texts[hash.replace('hash of ', '')] ?? null,
        put: async () => output('none'),
      },
      crews: new Map(),
      namesOf:
        async () =>
        ({ name }) =>
          name,
      approverNames: async () => (name) => name,
      mentionsOf: async () => [],
      findChange: async () => null,
    },
    { message: { kind: 'card', approvalId: '2' }, rendering: 'full', mentions: [], say },
    findRules({ policy: null }, { execution: execution({ requests }), request, now: START }),
  );
  return said(card);
}

it('the next card ticks the points of feedback that were followed word for word', async () => {
  expect(FEEDBACK).toContain('- Delete the line');
  const ticksWith = async (two: string) => (await cardWith({ one: OLD, two })).match(/[☑☐]/g)?.join('');
  expect(await ticksWith(WANTED)).toBe('☑☑☑');
  expect(await ticksWith(WANTED.replace('short', 'small'))).toBe('☐☑☑');
  expect(await ticksWith(OLD)).toBe('☐☐☐');
});

it('the next card ticks no other feedback, nor any where texts are gone', async () => {
  for (const words of [
    await cardWith({ one: OLD, two: WANTED }, 'Shorter.'),
    await cardWith({ two: WANTED }),
    await cardWith({ one: OLD }),
  ])
    expect(words).not.toMatch(/[☑☐]/);
});

it('a closed card is shown without its text, who could decide, or what led to it', async () => {
  const closed = delivered({ id: '1', taskId: 'draft', round: 1, output: output('one'), decision: decision() });
  const refuse = async () => Promise.reject(new Error('a closed card asks for nothing but names'));
  const card = await renderCard(
    {
      outputs: { get: refuse, put: refuse },
      crews: new Map(),
      namesOf: async () => (person) => `${person.name} Now`,
      approverNames: refuse,
      mentionsOf: refuse,
      findChange: refuse,
    },
    { message: { kind: 'card', approvalId: '1' }, rendering: 'full', mentions: null, say },
    findRules({ policy: null }, { execution: execution({ requests: [closed] }), request: closed, now: START }),
  );
  expect(said(card)).toContain(`${decision().by?.name} Now approved`);
});
