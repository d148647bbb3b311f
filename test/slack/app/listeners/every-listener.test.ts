import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actions, shortcuts, views } from '../../../../src/slack/app/listeners.ts';
import type { ActionId, ShortcutId, SubmittedModal } from '../../../../src/slack/ui/action-ids.ts';
import { redisForTests } from '../../../redis/store-under-test.ts';
import { everyNth } from '../../../support/sample.ts';
import { TEAM } from '../../../support/slack-server.ts';
import type { AnsweringSlack } from '../../directory/answering-slack.ts';
import { BARRED, STARTER } from './requests/cast.ts';
import { prepareRun, startObligingSlack } from './requests/outcome.ts';
import { CLICK_ROWS, COMMAND_ROWS, type Keys, SHORTCUT_ROWS, SUBMISSION_ROWS } from './requests/rows.ts';
import { RUN_KINDS, type RunKind } from './requests/runs.ts';
import { type By, click, command, type Sent, shortcut, submission } from './requests/sent.ts';

const { redis } = redisForTests();

let slack: AnsweringSlack;
beforeAll(async () => {
  slack = await startObligingSlack();
});
afterAll(() => slack.close());

interface Row {
  name: string;
  request: (keys: Keys, by: By) => Sent;
  meant: { by: string; on: RunKind };
  /** Whether a refusal is one of a start, of a decision, or of neither: then nothing is changed by it. */
  who: 'members' | 'policy' | 'starters';
  effect?: 'none' | undefined;
}

const ROWS: Row[] = [
  ...(Object.keys(CLICK_ROWS) as ActionId[]).map((id) => ({
    ...{ name: `a click on ${id}`, request: (keys: Keys, by: By) => click(id, keys, by) },
    ...{ meant: CLICK_ROWS[id], who: actions[id].who },
  })),
  ...(Object.keys(SUBMISSION_ROWS) as SubmittedModal[]).map((id) => ({
    ...{ name: `a submission of ${id}`, request: (keys: Keys, by: By) => submission(id, keys, by) },
    ...{ meant: SUBMISSION_ROWS[id], who: views[id].who },
    effect: SUBMISSION_ROWS[id].effect,
  })),
  ...(Object.keys(SHORTCUT_ROWS) as ShortcutId[]).map(
    (id): Row => ({
      ...{ name: `the shortcut ${id}`, request: (_: Keys, by: By) => shortcut(id, by) },
      ...{ meant: SHORTCUT_ROWS[id], who: shortcuts[id].who },
    }),
  ),
  ...Object.entries(COMMAND_ROWS).map(([word, row]) => ({
    ...{ name: `the command for ${word}`, request: (_: Keys, by: By) => command(row, by), meant: row },
    who: word === 'form' || word === 'start' ? ('starters' as const) : ('members' as const),
  })),
];

const teamOf = (id: string) => (id === 'USTRANGER' ? 'T0NORTHWND' : BARRED[id] === null ? null : TEAM);

/** Those who start a run may stop tracking it, whoever decides, and everybody of the workspace may ask those who decide. */
const isAllowed = ({ name }: Row, id: string) =>
  (id === STARTER && / (stop_following|track_again)$|of stop_following$/.test(name)) ||
  (['UGUEST001', 'UOUTSIDER', STARTER, 'USTARTER2'].includes(id) && name === 'a click on ask_approvers');

/** What refuses nobody is tried where it would have an effect; what a refusal guards, on every kind of run, some of them each time. */
const kindsFor = ({ who, meant }: Row) => (who === 'members' ? [meant.on] : everyNth(4, RUN_KINDS, randomInt(4)));

describe.each(ROWS)('$name', (row) => {
  it.each(kindsFor(row))('on %s changes nothing, whoever is barred from it', async (kind) => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, kind);
    for (const id of Object.keys(BARRED).filter((each) => !isAllowed(row, each))) {
      const sent = row.request(keys, { by: id, team: teamOf(id) });
      const { before, after, newRuns, calls, acks, refusals, otherEntries, facts } = await outcomeOf(sent);
      const posted = calls.filter((name) => /^chat\.(post|update)/.test(name) && name !== 'chat.postEphemeral');
      expect({ id, execution: after, newRuns, otherEntries, refusals, acks: acks.length, posted }).toEqual({
        ...{ id, execution: before, newRuns: 0, otherEntries: 0 },
        ...{ refusals: row.who === 'members' ? 0 : 1, acks: 1, posted: [] },
      });
      expect(facts).toMatchObject({ by: id, pressed: expect.any(String) });
      if (refusals > 0) expect(facts).toMatchObject({ action: expect.any(String), refusal: expect.any(String) });
    }
  });

  it('is not refused to those for whom it is meant', async () => {
    const { meant, request } = row;
    const { keys, outcomeOf } = await prepareRun(redis(), slack, meant.on);
    const { before, after, newRuns, calls, acks, homesShownAgain, refusals, facts } = await outcomeOf(
      request(keys, meant),
    );
    const isChanged = JSON.stringify(before) !== JSON.stringify(after);
    const shows =
      calls.filter((name) => name.startsWith('views.') || name === 'chat.postEphemeral').length +
      acks.filter((ack) => 'text' in ack || 'response_action' in ack).length;
    expect(facts).toMatchObject({ by: meant.by, pressed: expect.any(String) });
    expect(facts).not.toHaveProperty('refusal');
    const hasEffect = isChanged || newRuns > 0 || shows + homesShownAgain > 0;
    expect({ refusals, hasEffect }).toEqual({ refusals: 0, hasEffect: row.effect !== 'none' });
  });
});

it('has a row for every button, modal and shortcut', () => {
  expect(Object.keys(CLICK_ROWS).sort()).toEqual(Object.keys(actions).sort());
  expect(Object.keys(SUBMISSION_ROWS).sort()).toEqual(Object.keys(views).sort());
  expect(Object.keys(SHORTCUT_ROWS).sort()).toEqual(Object.keys(shortcuts).sort());
});
