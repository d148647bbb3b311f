import { describe, expect, it } from 'vitest';
import { parseCrewsFile } from '../../src/config/crews.ts';

/** Of a crew with these inputs, whose `approval` begins in line 13. */
function problemsOf(approval: string): string[] {
  const file = parseCrewsFile(
    `crews:
  - name: payments
    base_url: https://a.example
    token: t
    hours: Mon-Fri 09:00-17:00 Europe/Berlin
    inputs:
      amount: { type: number }
      env: { type: choice, options: [prod, dev] }
      mixed: { type: choice, options: [prod, 7] }
      owner_email: { label: Owner }
      data: { type: json }
    approval:
${approval.replace(/^/gm, '      ')}
`,
    {},
  );
  return file.ok ? [] : file.refusal.map((problem) => problem.replace('crews[0].approval.', ''));
}

const LOOSENS =
  'Whoever starts a run chooses its inputs, so that a condition may only tighten: change it, or add may_loosen: true';

describe('rules that depend on the request', () => {
  it.each([
    'approvers: ["@release-managers", "input:owner_email"]',
    'when: [{ if: "inputs.amount > 5000 && inputs.env == \'prod\'", quorum: 2, approvers: ["@directors"] }]',
    'approvers: ["@a"]\nwhen: [{ if: "inputs.amount > 1", approvers: ["@b"], may_loosen: true }]',
    'approvers: ["@a"]\nmay_loosen: true\nwhen: [{ if: "inputs.amount > 1", approvers: ["@b"] }]',
    'all_of: ["@legal", "@security"]\nwhen: [{ if: "hour < 8", all_of: ["@legal", "@security", "@oncall"] }]',
    'stages:\n  - { name: Peer, approvers: [channel] }\n  - { name: Release, approvers: ["@release-managers"], quorum: 2 }',
    'tasks: [{ match: a, quorum: 3, when: [{ if: "round > 2", quorum: 4 }] }]',
    'quorum: 2\nwhen: []',
  ])('are taken: %s', (approval) => {
    expect(problemsOf(approval)).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['when: [{ if: "inputs.amonut > 1", quorum: 2 }]', ['line 13, when[0].if names the input amonut']],
    ['when: [{ if: "inputs.data == 1", quorum: 2 }]', ['line 13, when[0].if names the input data']],
    ['when: [{ if: "inputs.mixed == 1", quorum: 2 }]', ['line 13, when[0].if names the input mixed']],
    [
      'quorum: 2\nwhen:\n  - { if: "hour < 8", quorum: 3 }\n  - if: inputs.env > 5\n    quorum: 3',
      ["line 16, when[1].if can't be read: no such overload: string > int"],
    ],
    [
      'tasks:\n  - match: a\n    when:\n      - { if: "x", quorum: 2 }',
      ['line 16, tasks[0].when[0].if names x, but conditions see inputs.NAME, task, round, starter, channel, hour'],
    ],
    ['when: [{ quorum: 2 }]', ['line 13, when[0].if is missing: when these rules apply']],
    ['when: [{ if: true, quorum: 2 }]', ['line 13, when[0].if']],
    ['when: [{ if: "hour < 8", quorom: 2 }]', ["line 13, when[0].quorom isn't a setting; did you mean quorum?"]],
    ['when: [{ if: "hour < 8", tasks: [] }]', ["line 13, when[0].tasks isn't a setting"]],
    ['approvers: [U0ANNA, "input:owner"]', ['line 13, approvers names the input owner']],
    ['approvers: [U0ANNA, "input:amount"]', ['line 13, approvers names the input amount']],
    ['stages: [{ name: A, all_of: ["input:x"] }]', ['line 13, stages[0].all_of names the input x']],
    ['stages: []', ['line 13, stages is an empty list']],
    ['stages: [{ approvers: [channel] }]', ['line 13, stages[0].name is missing']],
    ['stages: [{ name: A, stages: [] }]', ["line 13, stages[0].stages isn't a setting"]],
    ['stages: [{ name: A, undo: 5s }]', ["line 13, stages[0].undo isn't a setting"]],
    [
      `stages: [${Array.from({ length: 11 }, (_, i) => `{ name: S${i} }`).join(', ')}]`,
      ['line 13, stages has more than 10 stages'],
    ],
    [
      'quorum: 2\nwhen:\n  - if: "inputs.amount < 100"\n    quorum: 1',
      [`line 16, when[0].quorum loosens quorum of the rules around it. ${LOOSENS}`],
    ],
    [
      'approvers: ["@a"]\nwhen:\n  - if: "inputs.amount < 100"\n    approvers: ["@b"]',
      [`line 16, when[0].approvers loosens approvers of the rules around it. ${LOOSENS}`],
    ],
    [
      'when: [{ if: "hour < 8", quorum: 2 }]\ntasks: [{ match: publish, quorum: 3 }]',
      [`line 13, when[0].quorum loosens quorum of those for tasks like publish. ${LOOSENS}`],
    ],
    [
      'self_approval: false\ntasks:\n  - match: a\n    when: [{ if: "hour < 8", self_approval: true, guests: true }]',
      [
        `line 16, tasks[0].when[0].self_approval loosens self_approval of the rules around it. ${LOOSENS}`,
        `line 16, tasks[0].when[0].guests loosens guests of the rules around it. ${LOOSENS}`,
      ],
    ],
    [
      'stages: [{ name: A }, { name: B }]\nwhen: [{ if: "hour < 8", stages: [{ name: A }] }]',
      [`line 14, when[0].stages loosens stages of the rules around it. ${LOOSENS}`],
    ],
    ['stages: [{ name: A, approvers: [U0ANNA], quorum: 2 }]', ['line 13, stages[0].quorum must be at most the number']],
    [
      'stages: [{ name: A, escalate_after: 4h }]',
      ['line 13, stages[0].escalate_after has no effect without escalate_to'],
    ],
    ['stages: [{ name: A }, { name: a }]', ['line 13, stages[1].name is already the name of another stage']],
    [
      'approvers: [U0ANNA]\nwhen: [{ if: "hour < 8", quorum: 2 }]',
      ['line 14, when[0].quorum must be at most the number of people who are named'],
    ],
    ['all_of: [U0ANNA, U0BOB]\nquorum: 3', ['line 14, quorum must be at most the number of people who are named']],
  ])('are refused with their line: %s', (approval, problems) => {
    const told = problemsOf(approval);
    expect(told).toHaveLength(problems.length);
    for (const [i, problem] of problems.entries()) expect(told[i]).toContain(problem);
  });

  it('can’t be set for who starts a crew', () => {
    const told = parseCrewsFile(
      'crews: [{ name: a, base_url: "https://a.example", token: t, starters: ["input:x"] }]',
      {},
    );
    expect(told).toMatchObject({ refusal: [expect.stringContaining('starters[0] must be a person')] });
  });
});
