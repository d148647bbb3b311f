import { describe, expect, it } from 'vitest';
import { frozen } from '../../support/frozen.ts';
import { act } from './runner/act.ts';
import { readPolicy, startedWith } from './runner/read-policy.ts';
import { type Row, readRows } from './runner/read-rows.ts';
import { runMoment } from './runner/run-moment.ts';
import { sayOutcome } from './runner/say-outcome.ts';
import { sceneUnder } from './runner/scene.ts';
import { AGAIN } from './table/again.ts';
import { ALL_OF } from './table/all-of.ts';
import { CHANGES } from './table/changes.ts';
import { CLOSED } from './table/closed.ts';
import { CONDITIONS } from './table/conditions.ts';
import { DECLINE } from './table/decline.ts';
import { EDITS } from './table/edits.ts';
import { HAND_OVER } from './table/hand-over.ts';
import { INPUTS } from './table/inputs.ts';
import { OUTSIDERS } from './table/outsiders.ts';
import { OWN_RUN } from './table/own-run.ts';
import { POSSIBLE } from './table/possible.ts';
import { QUORUM } from './table/quorum.ts';
import { STAGES } from './table/stages.ts';
import { TIME } from './table/time.ts';
import { UNDO } from './table/undo.ts';
import { UNSURE } from './table/unsure.ts';
import { WHO } from './table/who.ts';

const ROUTING = { ALL_OF, STAGES, CONDITIONS, INPUTS, POSSIBLE };
const SECTIONS = {
  WHO,
  OUTSIDERS,
  OWN_RUN,
  UNSURE,
  QUORUM,
  UNDO,
  EDITS,
  TIME,
  HAND_OVER,
  CHANGES,
  CLOSED,
  DECLINE,
  AGAIN,
  ...ROUTING,
};

const ROWS = Object.values(SECTIONS).flatMap(readRows);

function outcomeOf({ policy, person, moment, action }: Row): string {
  const scene = frozen(runMoment(sceneUnder(readPolicy(policy), startedWith(policy)), moment));
  return sayOutcome(scene, act(scene, person, action));
}

describe('policy × person × moment', () => {
  it('tells of routing, stages and all_of in at least 150 rows', () => {
    expect(Object.values(ROUTING).flatMap(readRows).length).toBeGreaterThanOrEqual(150);
  });

  it('is told in at least 350 rows, each of them once', () => {
    const told = ROWS.map(({ outcome: _, ...row }) => Object.values(row).join(' | '));
    expect(told.length).toBeGreaterThanOrEqual(350);
    expect(told.filter((each, i) => told.indexOf(each) !== i)).toEqual([]);
  });
});

describe.each(Object.entries(SECTIONS))('%s', (_, section) => {
  for (const row of readRows(section)) {
    const { policy, person, moment, action, outcome } = row;
    it(`under "${policy}", ${moment}: ${person} wants to ${action} → ${outcome}`, () => {
      expect(outcomeOf(row)).toBe(outcome);
    });
  }
});
