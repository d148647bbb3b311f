import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { crewText } from '../../../src/core/request/choice.ts';
import { decide } from '../../../src/core/request/decide.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import type { Person, Vote } from '../../../src/core/state/request.ts';
import { cleanText } from '../../../src/core/values/text.ts';
import { execution } from '../../support/executions.ts';
import { JON, MARIA, PERMITTED, pending, permittedTo, START, vote } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const ANNA: Person = { id: 'U_ANNA', name: 'Anna' };
const SILENT = { feedback: null, text: 'Approved.' };
const noted = (text: string) => ({ feedback: text, text });

const linesOf = (text: string) =>
  cleanText(text)
    .split('\n')
    .map((line) => line.trimEnd());

/** As a reader tells who wrote what: a line of a note begins with a mark, and any other names the author of the next ones. */
function readBack(text: string): { id: string; lines: string[] }[] {
  const notes: { id: string; lines: string[] }[] = [];
  for (const line of text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)) {
    const [, id] = /\((\w+)\):$/.exec(line) ?? [];
    if (line.startsWith('>')) notes.at(-1)?.lines.push(line.replace(/^> ?/, ''));
    else if (line !== '') notes.push({ id: id ?? 'nobody', lines: [] });
  }
  return notes;
}

describe('what the crew receives with an approval', () => {
  it('of one person is their note as it is, or the text of an approval without one', () => {
    expect(crewText([], { by: MARIA, ...noted('Lovely') }, [{ quorum: 1, allOf: [] }])).toBe('Lovely');
    expect(crewText([], { by: MARIA, ...SILENT }, [{ quorum: 1, allOf: [] }])).toBe('Approved.');
  });

  it('of several has each note with the name of its author, the completing one last', () => {
    const votes = [vote(JON, { feedback: 'Mention oolong' }), vote(ANNA, { feedback: 'Two\n\nparagraphs' })];
    expect(crewText(votes, { by: MARIA, ...noted('Lovely') }, [{ quorum: 3, allOf: [] }])).toBe(
      'Jon (U_JON):\n> Mention oolong\n\nAnna (U_ANNA):\n> Two\n>\n> paragraphs\n\nMaria (U_MARIA):\n> Lovely',
    );
  });

  it('leaves out those who said nothing', () => {
    const votes = [vote(JON), vote(ANNA, { feedback: '  ' })];
    expect(crewText(votes, { by: MARIA, ...noted('Lovely') }, [{ quorum: 3, allOf: [] }])).toBe(
      'Maria (U_MARIA):\n> Lovely',
    );
    expect(crewText(votes, { by: MARIA, ...SILENT }, [{ quorum: 3, allOf: [] }])).toBe('Approved.');
    expect(crewText([vote(JON, { feedback: 'Fine' })], { by: MARIA, ...SILENT }, [{ quorum: 2, allOf: [] }])).toBe(
      'Jon (U_JON):\n> Fine',
    );
  });

  it('names the author of a single note, too, where several have to approve', () => {
    expect(crewText([], { by: MARIA, ...noted('Lovely') }, [{ quorum: 2, allOf: [] }])).toBe(
      'Maria (U_MARIA):\n> Lovely',
    );
  });

  it('names all authors although the quorum is one by now', () => {
    const votes = [vote(JON, { feedback: 'Mention oolong' })];
    expect(crewText(votes, { by: MARIA, ...noted('Lovely') }, [{ quorum: 1, allOf: [] }])).toBe(
      'Jon (U_JON):\n> Mention oolong\n\nMaria (U_MARIA):\n> Lovely',
    );
  });

  it('says of each line who wrote it, whatever people are called and write', () => {
    const pieces = ['Aiko', '(U_AIKO)', ':', '>', ' ', '\n', '\r\n', '\u2028', '\v', '\u0085', '```', 'x'];
    const words = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((each) => each.join(''));
    const person = fc.record({ id: fc.constantFrom('U_AIKO', 'U_ANNA', 'U_JON'), name: words });
    const vote = fc.record({ by: person, at: fc.nat(), feedback: fc.option(words, { nil: null }) });
    fc.assert(
      fc.property(fc.array(vote), vote, (given: Vote[], own) => {
        const text = crewText(given, { ...own, text: own.feedback ?? 'Approved.' }, [{ quorum: 2, allOf: [] }]);
        const notes = [...given, own].flatMap(({ by, feedback }) =>
          feedback?.trim() ? [{ id: by.id, lines: linesOf(feedback) }] : [],
        );
        fc.pre(notes.length > 0);
        expect(readBack(text)).toEqual(notes);
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
  const textOf = ({ requests: [request] }: Execution) =>
    request?.state.status === 'decided' ? request.state.decision.text : null;
  const asked = execution({ requests: [pending()] });

  it('are in the order in which they were given', () => {
    const decided = says(says(says(asked, ANNA, 'one'), MARIA, 'two'), JON, 'three');
    expect(textOf(decided)).toBe('Anna (U_ANNA):\n> one\n\nMaria (U_MARIA):\n> two\n\nJon (U_JON):\n> three');
  });

  it('are the last of each person, at the place of that one', () => {
    const decided = says(says(says(says(asked, ANNA, 'one'), MARIA, 'two'), ANNA, 'better'), JON, null);
    expect(textOf(decided)).toBe('Maria (U_MARIA):\n> two\n\nAnna (U_ANNA):\n> better');
  });

  it('are not those of the person who rejects', () => {
    const voted = says(asked, ANNA, 'one');
    const choice = { verdict: 'reject', feedback: 'No', text: 'No' } as const;
    const { facts } = permittedTo(ANNA);
    expect(textOf(valueFrom(decide(voted, '1', { ...PERMITTED, choice, by: JON, policy, facts }, START)))).toBe('No');
  });
});
