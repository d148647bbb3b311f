import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseCrewsFile } from '../../src/config/crews.ts';
import type { Crew } from '../../src/core/policy/crew.ts';
import { policyDocument, policyHash } from '../../src/core/policy/document.ts';
import { type CrewPolicy, DEFAULT_POLICY } from '../../src/core/policy/policy.ts';

const CREW = { name: 'research', base_url: 'https://crew.example.com', token: 'crew-token' };

function crewOf(text: string): Crew | undefined {
  const file = parseCrewsFile(text, {});
  if (!file.ok) throw new Error(file.refusal.join('\n'));
  return file.value.crews[0];
}

const policyOf = (approval: object): CrewPolicy | undefined =>
  crewOf(stringify({ crews: [{ ...CREW, approval }] }))?.approval;

/** What is wrong with an approval of which each text is one line, without the names of what it is in. */
function problemsOf(approval: string, env: Record<string, string> = {}): string[] {
  const head = 'crews:\n  - name: research\n    base_url: https://a.example\n    token: t\n    approval:\n';
  const file = parseCrewsFile(`${head}${approval.replace(/^/gm, '      ')}\n`, env);
  return file.ok ? [] : file.refusal.map((problem) => problem.replace('crews[0].approval.', ''));
}

describe('a policy', () => {
  it('is the default for what is left out', () => {
    expect(crewOf(stringify({ crews: [CREW] }))?.approval).toEqual(DEFAULT_POLICY);
    expect(policyOf({})).toEqual(DEFAULT_POLICY);
    expect(policyOf({ quorum: 2, approvers: ['U1A', 'channel'] })).toEqual({
      ...DEFAULT_POLICY,
      quorum: 2,
      approvers: [
        { kind: 'person', name: 'U1A' },
        { kind: 'channel', name: 'channel' },
      ],
    });
  });

  it('can set everything, for all tasks and for some', () => {
    const approval = {
      approvers: ['U0123ABC', 'maria@example.com', 'S0456DEF', '@release-managers', 'channel', 'workspace'],
      quorum: 2,
      all_of: ['@legal', 'S0SECURITY'],
      stages: [
        { name: 'Peer', quorum: 1, remind_after: '5m' },
        { name: 'Release', all_of: ['@directors'] },
      ],
      step_up: true,
      self_approval: false,
      guests: true,
      delegation: 'none',
      undo: '10s',
      min_review: '20 s',
      remind_after: '30m',
      escalate_after: '4h',
      escalate_to: ['@leads'],
      expire_after: '3d',
      on_expiry: 'reject',
      expiry_text: 'Too late.',
      approve_means: 'Publishes to customers',
      templates: [{ name: 'Tone', text: 'Keep the facts; make it friendlier.' }],
      comment: 'optional',
      on_decline: 'reject',
      approving: ['approved', 'ship*'],
      tasks: [
        { match: 'publish*', quorum: 3, undo: '0s', comment: { approve: 'required' }, on_decline: 'close' },
        {
          match: 'note',
          escalate_after: 'never',
          self_approval: true,
          delegation: 'anyone',
          templates: [],
          approving: [],
        },
      ],
    };
    const rules = {
      approvers: [
        { kind: 'person', name: 'U0123ABC' },
        { kind: 'email', name: 'maria@example.com' },
        { kind: 'group', name: 'S0456DEF' },
        { kind: 'handle', name: '@release-managers' },
        { kind: 'channel', name: 'channel' },
        { kind: 'workspace', name: 'workspace' },
      ],
      quorum: 2,
      allOf: [
        { kind: 'handle', name: '@legal' },
        { kind: 'group', name: 'S0SECURITY' },
      ],
      stepUp: true,
      selfApproval: false,
      startedElsewhere: [],
      guests: true,
      delegation: 'none',
      undoMs: 10_000,
      minReviewMs: 20_000,
      remindAfterMs: 1_800_000,
      escalateAfterMs: 14_400_000,
      escalateTo: [{ kind: 'handle', name: '@leads' }],
      expireAfterMs: 259_200_000,
      onExpiry: 'reject',
      expiryText: 'Too late.',
      approveMeans: 'Publishes to customers',
      templates: [{ name: 'Tone', text: 'Keep the facts; make it friendlier.' }],
      comment: { approve: 'optional', reject: 'optional' },
      onDecline: 'reject',
      approving: ['approved', 'ship*'],
    };
    const withStages = (changed: object) => {
      const all = { ...rules, ...changed };
      const directors = [{ kind: 'handle', name: '@directors' }];
      const stages = [
        { ...all, name: 'Peer', quorum: 1, remindAfterMs: 300_000 },
        { ...all, name: 'Release', approvers: directors, allOf: directors },
      ];
      return { ...all, stages, stage: 0, when: [] };
    };
    const publishing = { quorum: 3, undoMs: 0, onDecline: 'close' };
    expect(policyOf(approval)).toEqual({
      ...withStages({}),
      inputs: {},
      timeZone: 'UTC',
      matchTitles: false,
      tasks: [
        {
          ...withStages({ ...publishing, comment: { approve: 'required', reject: 'optional' } }),
          match: 'publish*',
          looksAt: 'name',
        },
        {
          ...withStages({
            escalateAfterMs: null,
            selfApproval: true,
            delegation: 'anyone',
            templates: [],
            approving: [],
          }),
          match: 'note',
          looksAt: 'name',
        },
      ],
    });
  });

  it('has entries of tasks that look at the id of a task alone, and may take titles for names', () => {
    const settings = { match_titles: true, tasks: [{ id: 'publish-*', quorum: 2 }] };
    const policy = policyOf(settings);
    expect(policy).toMatchObject({ matchTitles: true, tasks: [{ match: 'publish-*', looksAt: 'id', quorum: 2 }] });
    const document = policyDocument(policy ?? DEFAULT_POLICY);
    expect(document).toMatchObject({ match_titles: true, tasks: [{ id: 'publish-*', quorum: 2 }] });
  });

  it('has the hash of before where it leaves delegation at its default', () => {
    const hash = (approval: object) => policyHash(policyOf(approval) ?? DEFAULT_POLICY);
    expect(hash({ delegation: 'approvers' })).toBe(hash({}));
    expect(hash({})).toBe('67f3f432ea059767c639257c9f5c2e346979decd44395b586d5ae423010a676f');
    expect(new Set(['none', 'approvers', 'anyone'].map((delegation) => hash({ delegation }))).size).toBe(3);
  });

  it('is the same wherever it stands in a file', () => {
    const [one, other] = ['', '# A comment\n\n'].map(
      (head) => crewOf(`${head}${stringify({ crews: [CREW] })}`)?.approval,
    );
    expect(one && policyHash(one)).toBe(other && policyHash(other));
  });

  it.each([
    ['quorums that enough people can reach', 'approvers: [U1A, U2B]\nquorum: 2'],
    ['a quorum above the names where one is a group', 'approvers: [U1A, "@leads"]\nquorum: 5'],
    [
      'an expiry that a task turns off',
      'expire_after: 3d\non_expiry: reject\ntasks: [{ match: a, expire_after: never }]',
    ],
    [
      'an escalation that a task turns off',
      'escalate_after: 1h\nescalate_to: [U1A]\ntasks: [{ match: a, escalate_after: never, expire_after: 5m }]',
    ],
    [
      'an escalation of which a task changes half',
      'escalate_after: 1h\nescalate_to: [U1A]\ntasks: [{ match: a, escalate_to: [U2B] }]',
    ],
    [
      'templates of the same name for different tasks',
      'templates: [{ name: A, text: a }]\ntasks: [{ match: a, templates: [{ name: A, text: b }] }]',
    ],
    ['an approver that is named twice', 'approvers: [U1A, U1A, channel]'],
  ])('may have %s', (_, approval) => {
    expect(problemsOf(approval)).toEqual([]);
  });
});

const SHAPES =
  'must be a person (U0123ABC or maria@example.com), a user group (S0456DEF or "@leads"), channel or workspace, or an input that names one (input:owner_email)';
const FIXED_SHAPES =
  'must be a person (U0123ABC or maria@example.com), a user group (S0456DEF or "@leads"), channel or workspace';
const COMMENTS = 'must be optional, required or none, or a map of these: approve, reject';
const TIMES = 'must be a time from 1s to 365d, such as 30m, 4h or 3d, or never';
const DELAYS = 'must be a time from 0s to 365d, such as 10s, 30m, 4h or 3d';

describe('a policy is refused', () => {
  it.each([
    ['approvers: []', ['line 6, approvers is an empty list: name who may, or leave it out']],
    ['approvers: channel', ['line 6, approvers must be a list such as [U0123ABC, "@leads"]']],
    [
      'approvers:\n  - maria\n  - U1A\n  - "#general"',
      [`line 7, approvers[0] ${SHAPES}`, `line 9, approvers[2] ${SHAPES}`],
    ],
    ['approvers: [7]', [`line 6, approvers[0] ${SHAPES}`]],
    ['quorum: 0', ['line 6, quorum must be a whole number from 1 to 100']],
    ['quorum: two', ['line 6, quorum must be a whole number from 1 to 100']],
    ['quorum: 1.5', ['line 6, quorum must be a whole number from 1 to 100']],
    ['self_approval: "no"', ['line 6, self_approval must be true or false']],
    ['delegation: all', ['line 6, delegation must be none, approvers or anyone']],
    ['guests: 1', ['line 6, guests must be true or false']],
    ['undo: 10', [`line 6, undo ${DELAYS}`]],
    ['undo: 10 seconds', [`line 6, undo ${DELAYS}`]],
    ['min_review: 366d', [`line 6, min_review ${DELAYS}`]],
    ['min_review: never', [`line 6, min_review ${DELAYS}`]],
    ['remind_after: 0s', [`line 6, remind_after ${TIMES}`]],
    ['remind_after:', [`line 6, remind_after ${TIMES}`]],
    ['expire_after: 1w', [`line 6, expire_after ${TIMES}`]],
    ['expire_after: 1h\non_expiry: approve', ['line 7, on_expiry must be close or reject']],
    ['expire_after: 1h\nexpiry_text: ""', ['line 7, expiry_text is empty']],
    ['comment: never', [`line 6, comment ${COMMENTS}`]],
    ['comment: { approve: always }', [`line 6, comment ${COMMENTS}`]],
    ['comment: { rejected: none }', ["line 6, comment.rejected isn't a setting; did you mean reject?"]],
    ['on_decline: send', ['line 6, on_decline must be close or reject']],
    ['templates: [{ name: A }]', ['line 6, templates[0].text is missing: the feedback']],
    ['templates: [A]', ['line 6, templates[0] must be a map: name, text']],
    ['approve_means: ""', ['line 6, approve_means must be one line of 1 to 80 characters']],
    ['tasks:\n  - { match: a, id: b }', ['line 7, tasks[0].id stands beside match: an entry has one of them']],
    [
      'tasks: [{ quorum: 2 }]',
      ['line 6, tasks[0].match is missing: the name of a task, with * for any text; or say id, for its id alone'],
    ],
    ['tasks: [{ match: 7 }]', ['line 6, tasks[0].match must be text; put it in quotes']],
    ['tasks: { match: a }', ['line 6, tasks must be a list of maps: match, and what differs for these tasks']],
    ['tasks: [{ match: a, tasks: [] }]', ["line 6, tasks[0].tasks isn't a setting; did you mean tasks?"]],
  ])('for what is wrong alone: %s', (approval, problems) => {
    expect(problemsOf(approval)).toEqual(problems);
  });

  it.each([
    ['approver: [U1A]', 'approvers'],
    ['self-approval: true', 'self_approval'],
    ['escalateAfter: 1h', 'escalate_after'],
    ['expires_after: 1h', 'expire_after'],
    ['min_reviews: 1h', 'min_review'],
  ])('with a suggestion: %s', (approval, meant) => {
    expect(problemsOf(approval).join()).toContain(`isn't a setting; did you mean ${meant}?`);
  });

  it.each([
    [
      'approvers: [U1A, maria@example.com]\nquorum: 3',
      ['line 7, quorum must be at most the number of people who are named as approvers'],
    ],
    [
      'approvers: [U1A, U1A, a@b.example, A@b.example]\nquorum: 3',
      ['line 7, quorum must be at most the number of people who are named as approvers'],
    ],
    [
      'approvers: [U1A]\nescalate_after: 1h\nescalate_to: ["@leads"]\ntasks:\n  - match: a\n    quorum: 2',
      ['line 11, tasks[0].quorum must be at most the number of people who are named as approvers'],
    ],
    [
      'quorum: 2\ntasks:\n  - match: a\n    approvers: [U1A]',
      ['line 9, tasks[0].approvers names fewer people than quorum asks for'],
    ],
    ['escalate_after: 1h', ['line 6, escalate_after has no effect without escalate_to: name who may decide then']],
    ['escalate_to: [U1A]', ['line 6, escalate_to has no effect without escalate_after, such as 4h']],
    [
      'tasks:\n  - match: a\n    escalate_to: [U1A]',
      ['line 8, tasks[0].escalate_to has no effect without escalate_after, such as 4h'],
    ],
    ['on_expiry: reject', ['line 6, on_expiry has no effect without expire_after, such as 3d']],
    ['expiry_text: Late.', ['line 6, expiry_text has no effect without expire_after, such as 3d']],
    [
      'escalate_after: 3d\nescalate_to: [U1A]\nexpire_after: 72h',
      ['line 6, escalate_after must be sooner than expire_after'],
    ],
    [
      'escalate_after: 1d\nescalate_to: [U1A]\ntasks:\n  - match: a\n    expire_after: 1h',
      ['line 10, tasks[0].expire_after must be later than escalate_after, which may be never for these tasks'],
    ],
    [
      'expire_after: 1h\nremind_after: 60m',
      ['line 7, remind_after must be sooner than expire_after, or nobody is reminded'],
    ],
    [
      'templates:\n  - { name: Tone, text: a }\n  - { name: tone, text: b }',
      ['line 8, templates[1].name is already the name of another template'],
    ],
    [
      'tasks:\n  - match: Publish\n  - match: publish',
      ['line 8, tasks[1].match is already the pattern of other tasks'],
    ],
  ])('for what is wrong between settings: %s', (approval, problems) => {
    expect(problemsOf(approval)).toEqual(problems);
  });

  it('with all mistakes at once, and without their values', () => {
    const approval = `approvers: [U1A, Hush]
quorom: 2
quorum: -1
remind_after: Hush
escalate_after: 2d
escalate_to: []
expire_after: 1d
on_expiry: Hush
templates: [{ name: A, text: a }, { name: a, text: '' }]
tasks:
  - match: a
    approvers: [U2B]
    quorum: 2
  - match: A
    undo: Hush`;
    expect(problemsOf(approval)).toEqual([
      `line 6, approvers[1] ${SHAPES}`,
      "line 7, quorom isn't a setting; did you mean quorum?",
      'line 8, quorum must be a whole number from 1 to 100',
      `line 9, remind_after ${TIMES}`,
      'line 10, escalate_after must be sooner than expire_after',
      'line 11, escalate_to is an empty list: name who may, or leave it out',
      'line 13, on_expiry must be close or reject',
      'line 14, templates[1].name is already the name of another template',
      'line 14, templates[1].text is empty',
      'line 18, tasks[0].quorum must be at most the number of people who are named as approvers',
      'line 19, tasks[1].match is already the pattern of other tasks',
      `line 20, tasks[1].undo ${DELAYS}`,
    ]);
  });

  it('with a hint where a handle has no quotes', () => {
    const [problem] = problemsOf('approvers: [@leads]');
    expect(problem).toContain('put a value that starts with @ in quotes');
  });

  it('but not for what a variable that isn’t set may be', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a crews file names a variable
    expect(problemsOf('approvers: [U1A, "${LEAD}"]\nquorum: 2')).toEqual([
      "line 6, approvers[1] names the variable LEAD, which isn't set",
    ]);
  });
});

describe('what belongs to a policy', () => {
  const settings = {
    starters: ['channel'],
    require_user_token: true,
    retry_503: true,
    callback_hosts: ['App.CrewAI.com', 'ci.example.com:8443'],
    hours: 'Mon-Fri 09:00-17:00 Europe/Berlin',
  };

  it.each([
    [{}, 'https://crew.example.com'],
    [{ base_url: 'https://crew.example.com/a/b/' }, 'https://crew.example.com'],
    [{ control_url: 'https://panel.example.com/#/runs?of=me' }, 'https://panel.example.com/#/runs?of=me'],
  ])('is where its runs can be ended: %j', (settings, controlUrl) => {
    expect(crewOf(stringify({ crews: [{ ...CREW, ...settings }] }))?.controlUrl).toBe(controlUrl);
  });

  it('is who may start a crew, with which token, and when people work', () => {
    expect(crewOf(stringify({ crews: [{ ...CREW, ...settings }] }))).toMatchObject({
      starters: [{ kind: 'channel', name: 'channel' }],
      requireUserToken: true,
      retry503: true,
      callbackHosts: ['app.crewai.com', 'ci.example.com:8443'],
      hours: { days: [1, 2, 3, 4, 5], from: 540, to: 1020, timeZone: 'Europe/Berlin' },
    });
  });

  it('is what proves that flows notify, two of them while it changes', () => {
    const hosts = { callback_hosts: ['app.crewai.com'] };
    const secretsOf = (flow_secret: unknown) =>
      crewOf(stringify({ crews: [{ ...CREW, ...hosts, flow_secret }] }))?.flowSecrets;
    expect(secretsOf('whsec_0123456789')).toEqual(['whsec_0123456789']);
    expect(secretsOf(['whsec_0123456789', 'whsec_9876543210'])).toEqual(['whsec_0123456789', 'whsec_9876543210']);
    expect(crewOf(stringify({ crews: [CREW] }))?.flowSecrets).toEqual([]);
  });

  it('lets a flow say whom its requests are assigned to, without an input of that name', () => {
    const flow = { callback_hosts: ['app.crewai.com'], flow_secret: 'whsec_0123456789' };
    const approval = {
      approvers: ['input:assigned_to_email'],
      when: [{ if: "inputs.assigned_to_email == ''", quorum: 1 }],
    };
    const read = (settings: object) => crewOf(stringify({ crews: [{ ...CREW, ...settings, approval }] }));
    expect(read(flow)?.approval).toMatchObject({ inputs: { assigned_to_email: 'text' } });
    expect(() => read({})).toThrow('names the input assigned_to_email');
  });

  it.each([
    [undefined, 'followed', []],
    ['refuse', 'refused', []],
    [['U0123ABC', 'maria@example.com'], 'followed', ['U0123ABC', 'maria@example.com']],
  ])('is who counts as the starter of a run that was started elsewhere: %j', (setting, startedElsewhere, names) => {
    const rules = { self_approval: false, tasks: [{ match: 'publish*', quorum: 2 }] };
    const own = setting && { started_elsewhere: setting };
    for (const settings of [{ approval: { ...rules, ...own } }, { approval: rules, ...own }]) {
      const crew = crewOf(stringify({ crews: [{ ...CREW, ...settings }] }));
      const policies = crew ? [crew.approval, ...crew.approval.tasks] : [];
      expect(crew?.startedElsewhere).toBe(startedElsewhere);
      expect(policies.map((policy) => policy.startedElsewhere.map(({ name }) => name))).toEqual([names, names]);
    }
  });

  it.each([
    [
      { approval_notes: false, approval: { comment: 'required' } },
      `line 7, crews[0].approval.comment can't require a note of approvals beside approval_notes: false`,
    ],
    [
      { approval_notes: false, approval: { tasks: [{ match: 'a', comment: { approve: 'required' } }] } },
      `line 9, crews[0].approval.tasks[0].comment can't require a note of approvals beside approval_notes: false`,
    ],
    [
      { platform: 'amp', approval: { comment: 'required' } },
      `line 7, crews[0].approval.comment can't require a note of approvals beside platform: amp without approval_notes: true`,
    ],
    [
      { control_url: 'crew.example.com' },
      'line 5, crews[0].control_url must be an address such as https://example.com',
    ],
    [
      { control_url: 'javascript:alert(1)' },
      'line 5, crews[0].control_url must be an address such as https://example.com',
    ],
    [
      { control_url: 'https://me:secret@crew.example.com' },
      'line 5, crews[0].control_url must not contain a user name or a password',
    ],
    [{ starters: [] }, 'line 5, crews[0].starters is an empty list: name who may, or leave it out'],
    [{ starters: ['anybody'] }, `line 6, crews[0].starters[0] ${FIXED_SHAPES}`],
    [{ require_user_token: 'yes' }, 'line 5, crews[0].require_user_token must be true or false'],
    [
      { started_elsewhere: ['UMARIA001', '@leads'] },
      'line 7, crews[0].started_elsewhere[1] must be a person (U0123ABC or maria@example.com)',
    ],
    [
      { started_elsewhere: 'allow' },
      'line 5, crews[0].started_elsewhere must be refuse, or a list such as [U0123ABC, maria@example.com]',
    ],
    [
      { approval: { started_elsewhere: 'refuse' }, started_elsewhere: 'refuse' },
      'line 6, crews[0].approval.started_elsewhere is set beside approval, too: keep one of them',
    ],
    [
      { flow_secret: 'whsec_0123456789' },
      'line 5, crews[0].flow_secret needs callback_hosts beside it, such as [app.crewai.com]',
    ],
    ...[[], 7, ['whsec_0123456789', 'whsec_9876543210', 'whsec_5555555555']].map((flow_secret): [object, string] => [
      { callback_hosts: ['app.crewai.com'], flow_secret },
      'line 7, crews[0].flow_secret must be the secret of the webhook in the control panel, or a list of two while it changes',
    ]),
    [
      { callback_hosts: ['app.crewai.com'], flow_secret: 'whsec_short' },
      'line 7, crews[0].flow_secret[0] is shorter than the secret of any webhook',
    ],
    [{ retry_503: 'always' }, 'line 5, crews[0].retry_503 must be true or false'],
    [
      { hours: '9 to 5' },
      'line 5, crews[0].hours must be days, hours of one day and a time zone, such as Mon-Fri 09:00-17:00 Europe/Berlin',
    ],
    [{ approval: ['U1A'] }, 'line 5, crews[0].approval must be a map such as approvers: [U0123ABC]'],
  ])('is refused as %j', (wrong, problem) => {
    const file = parseCrewsFile(stringify({ crews: [{ ...CREW, ...wrong }] }), {});
    expect(file.ok ? [] : file.refusal).toEqual([problem]);
  });
});
