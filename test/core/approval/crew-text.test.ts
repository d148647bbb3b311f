import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Person, Vote } from '../../../src/core/approval/approval.ts';
import { crewText } from '../../../src/core/approval/crew-text.ts';
import { decide } from '../../../src/core/approval/decide.ts';
import { DEFAULT_POLICY } from '../../../src/core/approval/policy/policy.ts';
import type { Execution } from '../../../src/core/execution/execution.ts';
import { JON, MARIA, PERMITTED, pending, permittedTo, START, vote } from '../../support/approvals.ts';
import { execution } from '../../support/executions.ts';
import { valueFrom } from '../../support/value-from.ts';

const ANNA: Person = { id: 'U_ANNA', name: 'Anna' };
const SILENT = { feedback: null, text: 'Approved.' };
const noted = (text: string) => ({ feedback: text, text });

describe('what the crew receives with an approval', () => {
  it('of one person is their note as it is, or the text of an approval without one', () => {
    expect(crewText([], { by: MARIA, ...noted('Lovely') }, { quorum: 1 })).toBe('Lovely');
    expect(crewText([], { by: MARIA, ...SILENT }, { quorum: 1 })).toBe('Approved.');
  });

  it('of several has each note with the name of its author, the completing one last', () => {
    const votes = [vote(JON, { feedback: 'Mention oolong' }), vote(ANNA, { feedback: 'Two\n\nparagraphs' })];
    expect(crewText(votes, { by: MARIA, ...noted('Lovely') }, { quorum: 3 })).toBe(
      'Jon: Mention oolong\n\nAnna: Two\n\nparagraphs\n\nMaria: Lovely',
    );
  });

  it('leaves out those who said nothing', () => {
    const votes = [vote(JON), vote(ANNA, { feedback: '  ' })];
    expect(crewText(votes, { by: MARIA, ...noted('Lovely') }, { quorum: 3 })).toBe('Maria: Lovely');
    expect(crewText(votes, { by: MARIA, ...SILENT }, { quorum: 3 })).toBe('Approved.');
    expect(crewText([vote(JON, { feedback: 'Fine' })], { by: MARIA, ...SILENT }, { quorum: 2 })).toBe('Jon: Fine');
  });

  it('names the author of a single note, too, where several have to approve', () => {
    expect(crewText([], { by: MARIA, ...noted('Lovely') }, { quorum: 2 })).toBe('Maria: Lovely');
  });

  it('names all authors although the quorum is one by now', () => {
    const votes = [vote(JON, { feedback: 'Mention oolong' })];
    expect(crewText(votes, { by: MARIA, ...noted('Lovely') }, { quorum: 1 })).toBe(
      'Jon: Mention oolong\n\nMaria: Lovely',
    );
  });

  it('has every note once, in the order of the votes', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 });
    const note = fc.option(fc.string({ unit: fc.constantFrom('x', 'y', ' '), maxLength: 8 }), { nil: null });
    const votes = fc.array(
      fc.record({ by: name.map((each): Person => ({ id: `U_${each}`, name: each })), at: fc.nat(), feedback: note }),
    );
    fc.assert(
      fc.property(votes, note, (given: Vote[], own) => {
        const text = crewText(given, { by: MARIA, feedback: own, text: own ?? 'Approved.' }, { quorum: 2 });
        const notes = [...given, { by: MARIA, feedback: own }].filter(({ feedback }) => feedback?.trim());
        const lines = notes.map(({ by, feedback }) => `${by.name}: ${feedback}`);
        expect(text).toBe(lines.length === 0 ? (own ?? 'Approved.') : lines.join('\n\n'));
      }),
    );
  });
});

describe('the notes of a decision by several', () => {
  const policy = { ...DEFAULT_POLICY, quorum: 3 };
  const says = (each: Execution, by: Person, feedback: string | null): Execution => {
    const choice = { verdict: 'approve', feedback, text: feedback ?? 'Approved.' } as const;
    const known = [MARIA, JON, ANNA].map((person) => permittedTo(person).facts.accounts);
    const facts = { ...permittedTo(by).facts, accounts: Object.assign({}, ...known) };
    return valueFrom(decide(each, '1', { ...PERMITTED, choice, by, policy, facts }, START));
  };
  const textOf = ({ approvals: [approval] }: Execution) =>
    approval?.status === 'decided' ? approval.decision.text : null;
  const asked = execution({ approvals: [pending()] });

  it('are in the order in which they were given', () => {
    const decided = says(says(says(asked, ANNA, 'one'), MARIA, 'two'), JON, 'three');
    expect(textOf(decided)).toBe('Anna: one\n\nMaria: two\n\nJon: three');
  });

  it('are the last of each person, at the place of that one', () => {
    const decided = says(says(says(says(asked, ANNA, 'one'), MARIA, 'two'), ANNA, 'better'), JON, null);
    expect(textOf(decided)).toBe('Maria: two\n\nAnna: better');
  });

  it('are not those of the person who rejects', () => {
    const voted = says(asked, ANNA, 'one');
    const choice = { verdict: 'reject', feedback: 'No', text: 'No' } as const;
    const { facts } = permittedTo(ANNA);
    expect(textOf(valueFrom(decide(voted, '1', { ...PERMITTED, choice, by: JON, policy, facts }, START)))).toBe('No');
  });
});
