import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseCrewsFile } from '../../src/config/crews.ts';
import type { Crew } from '../../src/core/policy/crew.ts';
import type { InputHint } from '../../src/core/values/input-field.ts';

const CREW = { name: 'research', base_url: 'https://crew.example.com', token: 'crew-token' };

const fileOf = (...crews: object[]) => stringify({ crews });

function crewsOf(text: string, env: Record<string, string> = {}): Crew[] {
  const crews = parseCrewsFile(text, env);
  if (!crews.ok) throw new Error(crews.refusal.join('\n'));
  return crews.value.crews;
}

function problemsOf(text: string, env: Record<string, string> = {}): string[] {
  const crews = parseCrewsFile(text, env);
  return crews.ok ? [] : crews.refusal;
}

const inputOf = (settings: object): InputHint | undefined =>
  crewsOf(fileOf({ ...CREW, inputs: { topic: settings } }))[0]?.inputs.topic;
const inputProblemsOf = (settings: object) => problemsOf(fileOf({ ...CREW, inputs: { topic: settings } }));

describe('a secret', () => {
  it('comes from the environment', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a crews file names a variable
    const text = fileOf({ ...CREW, token: '${TOKEN}', approval_text: 'Costs $${5}.' });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an escaped one stays
    expect(crewsOf(text, { TOKEN: 'from-env' })).toMatchObject([{ token: 'from-env', approvalText: 'Costs ${5}.' }]);
  });

  it('that is missing there is named once', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a crews file names a variable
    const text = fileOf({ ...CREW, token: '${TOKEN}' });
    const sentence = "line 4, crews[0].token names the variable TOKEN, which isn't set";
    expect(problemsOf(text)).toEqual([sentence]);
    expect(problemsOf(text, { TOKEN: '' })).toEqual([sentence]);
  });

  it.each(['crews: [{ token: *Hush }]', 'crews:\n  - token: "Hush', 'a: Hush\na: Hush', '\tHush: [', 'Hush: {Hush'])(
    'never appears in the refusal of broken YAML (%#)',
    (text) => {
      const problems = problemsOf(text);
      expect(problems).not.toEqual([]);
      expect(problems.join('\n')).not.toContain('"Hush');
      expect(problems.filter((problem) => problem.includes("isn't YAML")).join()).not.toContain('Hush');
    },
  );
});

describe('a platform', () => {
  const ofCrew = (settings: object) => crewsOf(fileOf({ ...CREW, ...settings }))[0];

  it('hides notes with approvals, unless the crew says otherwise', () => {
    expect(ofCrew({})).toMatchObject({ platform: null, approvalNotes: true });
    expect(ofCrew({ platform: 'amp' })).toMatchObject({
      ...{ platform: 'amp', approvalNotes: false, approvalText: 'Approved.' },
    });
    expect(ofCrew({ platform: 'amp', approval_notes: true, approval_text: 'LGTM' })).toMatchObject({
      ...{ approvalNotes: true, approvalText: 'LGTM' },
    });
    expect(
      ofCrew({ platform: 'amp', approval_notes: true, approval: { comment: 'required' } })?.approval,
    ).toMatchObject({ comment: { approve: 'required' } });
  });

  it.each(['aws', 'AMP', '', 1, null])('called %j is not known, says the line', (platform) => {
    expect(problemsOf(fileOf({ ...CREW, platform }))).toEqual([
      'line 5, crews[0].platform must be amp, or left out for the interface of the specification',
    ]);
  });
});

describe('a crew', () => {
  it.each(['research', 'Research-2.0_beta', '7'])('may be called %s', (name) => {
    expect(crewsOf(fileOf({ ...CREW, name }))[0]?.name).toBe(name);
  });

  it.each(['', 'a b', 'a/b', 'ä', '.', '..', '-x', 'help', 'Who', 'connect', 'x'.repeat(65)])(
    'can\'t be called "%s"',
    (name) => {
      expect(problemsOf(fileOf({ ...CREW, name }))).toHaveLength(1);
    },
  );

  it('needs no address and token, but not one of them alone, and nothing about its service then', () => {
    const [rules] = crewsOf(fileOf({ name: 'agents', channel: 'ops' }));
    expect(rules).toMatchObject({ baseUrl: null, token: null, controlUrl: null });
    const { token, base_url: address } = CREW;
    expect(problemsOf(fileOf({ name: 'agents', token }))).toEqual([expect.stringContaining('.base_url is missing')]);
    expect(problemsOf(fileOf({ name: 'agents', base_url: address }))).toEqual([
      expect.stringContaining('.token is missing'),
    ]);
    expect(problemsOf(fileOf({ name: 'agents', require_user_token: true, starters: ['workspace'] }))).toEqual([
      expect.stringContaining('require_user_token has no effect without base_url and token'),
      expect.stringContaining('starters has no effect without base_url and token'),
    ]);
  });

  it('has a name of its own', () => {
    const problems = problemsOf(fileOf(CREW, { ...CREW, name: 'Research' }));
    expect(problems).toEqual(['line 5, crews[1].name is already the name of another crew']);
  });

  it.each([
    ['chanel', 'channel'],
    ['base-url', 'base_url'],
    ['baseUrl', 'base_url'],
    ['approval_note', 'approval_notes'],
    ['starter', 'starters'],
    ['require_token', 'require_user_token'],
  ])('has no %s, but may have a %s', (written, meant) => {
    expect(problemsOf(fileOf({ ...CREW, [written]: 'x' })).join()).toContain(
      `crews[0].${written} isn't a setting; did you mean ${meant}?`,
    );
  });

  it('can say what it is for, and how its cards look and are announced', () => {
    const shown = { description: ' Drafts release notes ', preview: 3000, notify: 'none', language: 'de' };
    const crews = crewsOf(fileOf({ ...CREW, ...shown, notify_starter: false, broadcast: false }));
    const read = { ...shown, description: 'Drafts release notes', notifyStarter: false, broadcast: false };
    expect(crews).toMatchObject([read]);
  });

  it('mentions @here only where its cards are in the channel', () => {
    expect(crewsOf(fileOf({ ...CREW, notify: 'channel' }))).toMatchObject([{ notify: 'channel' }]);
    expect(() => crewsOf(fileOf({ ...CREW, notify: 'channel', broadcast: false }))).toThrow(
      'notify is channel, but broadcast: false keeps cards out of the channel',
    );
  });

  it('is started by workflows where nothing depends on who starts it, or if it says so', () => {
    const inputs = { owner: { type: 'text' } };
    const flows = { flow_secret: 'f'.repeat(32), callback_hosts: ['app.crewai.com'] };
    const byOwner = [{ name: 'Owner', approvers: ['input:owner'] }];
    const cases: [Record<string, unknown>, 'allowed' | 'refused'][] = [
      [{}, 'allowed'],
      [{ workflows: false }, 'refused'],
      [{ starters: ['workspace'] }, 'allowed'],
      [{ starters: ['U0123ABC'] }, 'refused'],
      [{ starters: ['U0123ABC'], workflows: true }, 'allowed'],
      [{ approval: { quorum: 2 } }, 'allowed'],
      [{ approval: { self_approval: false } }, 'refused'],
      [{ approval: { tasks: [{ match: 'draft', self_approval: false }] } }, 'refused'],
      [{ approval: { when: [{ if: 'round > 2', self_approval: false }] } }, 'refused'],
      [{ approval: { when: [{ if: 'starter == "U1"', quorum: 2 }] } }, 'refused'],
      [{ approval: { when: [{ if: 'round > 2', quorum: 2 }] } }, 'allowed'],
      [{ inputs, approval: { approvers: ['input:owner'] } }, 'refused'],
      [{ inputs, approval: { approvers: ['input:owner'] }, workflows: true }, 'allowed'],
      [{ inputs, approval: { all_of: ['input:owner'] } }, 'refused'],
      [{ inputs, approval: { escalate_after: '1h', escalate_to: ['input:owner'] } }, 'refused'],
      [{ inputs, approval: { tasks: [{ match: 'draft', approvers: ['input:owner'] }] } }, 'refused'],
      [{ inputs, approval: { stages: [{ name: 'One' }, { name: 'Two', approvers: ['input:owner'] }] } }, 'refused'],
      [{ inputs, approval: { when: [{ if: 'round > 2', all_of: ['input:owner'] }] } }, 'refused'],
      [{ inputs, approval: { tasks: [{ match: 'draft', stages: byOwner }] } }, 'refused'],
      [{ inputs, approval: { when: [{ if: 'round > 2', stages: byOwner }] } }, 'refused'],
      [{ inputs, approval: { tasks: [{ match: 'draft', when: [{ if: 'round > 2', stages: byOwner }] }] } }, 'refused'],
      [{ ...flows, approval: { approvers: ['input:assigned_to_email'] } }, 'refused'],
    ];
    for (const [settings, workflows] of cases)
      expect(crewsOf(fileOf({ ...CREW, ...settings })), JSON.stringify(settings)).toMatchObject([{ workflows }]);
  });

  it.each([
    ['preview', [199, 3001, 700.5, '700'], 'must be a whole number of characters from 200 to 3000'],
    ['notify', ['everyone', true], 'must be mention, channel, dm or none'],
    ['notify_starter', ['yes', 'everyone'], 'must be true or false'],
    ['broadcast', ['no', 0], 'must be true or false'],
    ['workflows', ['refuse', 1], 'must be true or false'],
    ['language', ['fr', 'DE'], 'must be en or de'],
    ['description', ['', ' ', 'one\ntwo', 'x'.repeat(151)], 'must be one line of at most 150 characters'],
    ['description', [7], 'must be text; put it in quotes'],
  ])('is refused for a wrong %s', (name, values, rule) => {
    const problems = values.map((value) => problemsOf(fileOf({ ...CREW, [name]: value })));
    expect(problems).toEqual(values.map(() => [`line 5, crews[0].${name} ${rule}`]));
  });

  it.each(['- ', '- research', '- [research]'])('is more than "%s"', (entry) => {
    expect(problemsOf(`crews:\n  ${entry}\n`)).toEqual(['line 2, crews[0] must be a map: name, base_url, token']);
  });

  it('gets no suggestion for a setting unlike all others', () => {
    expect(problemsOf(fileOf({ ...CREW, colour: 'red' }))).toEqual(["line 5, crews[0].colour isn't a setting"]);
  });
});

describe('an input', () => {
  it.each([
    ['long text', 'long_text'],
    ['Long-Text', 'long_text'],
    ['textarea', 'long_text'],
    ['string', 'text'],
    ['yes/no', 'yes_no'],
    ['boolean', 'yes_no'],
    ['integer', 'number'],
    ['JSON', 'json'],
  ])('of the type "%s" is %s', (written, type) => {
    expect(inputOf({ type: written })?.type).toBe(type);
  });

  it('with options is a choice', () => {
    expect(inputOf({ options: ['a', 1, true, null] })).toMatchObject({ type: 'choice', options: ['a', 1, true, null] });
    expect(inputOf({ type: 'select', options: ['a'] })?.type).toBe('choice');
  });

  it('keeps the JSON type of its default', () => {
    expect(inputOf({ type: 'number', default: 0 })?.default).toBe(0);
    expect(inputOf({ type: 'yes_no', default: false })?.default).toBe(false);
    expect(inputOf({ type: 'date', default: '2026-12-31' })?.default).toBe('2026-12-31');
    expect(inputOf({ type: 'json', default: { a: [1] } })?.default).toEqual({ a: [1] });
    expect(inputOf({})).toEqual({
      label: null,
      type: 'text',
      options: [],
      default: null,
      help: null,
      min: null,
      max: null,
    });
  });

  it('of numbers may have limits', () => {
    expect(inputOf({ type: 'number', min: 1, max: 9.5 })).toMatchObject({ min: 1, max: 9.5 });
  });

  it.each([
    ['type', { type: 'colour' }],
    ['type', { type: 'text', options: ['a'] }],
    ['options', { type: 'choice' }],
    ['options', { options: 'a' }],
    ['options', { options: Array.from({ length: 101 }, (_, i) => i) }],
    ['default', { default: 1 }],
    ['default', { type: 'number', default: '1' }],
    ['default', { type: 'yes_no', default: 'yes' }],
    ['default', { type: 'date', default: '31.12.2026' }],
    ['default', { options: ['a'], default: 'b' }],
    ['default', { type: 'number', min: 2, default: 1 }],
    ['default', { type: 'number', max: 2, default: 3 }],
    ['min', { type: 'number', min: '1' }],
    ['max', { type: 'number', min: 3, max: 2 }],
    ['max', { max: 2 }],
    ['label', { label: 1 }],
    ['optoins', { optoins: ['a'] }],
  ])('is refused for its %s', (key, settings) => {
    expect(inputProblemsOf(settings)).toEqual([expect.stringContaining(`crews[0].inputs.topic.${key} `)]);
  });

  it.each(['', 'long_text', '[text]'])('is more than "%s"', (settings) => {
    const text = `crews:\n  - name: research\n    base_url: https://a.example\n    token: t\n    inputs:\n      topic: ${settings}\n`;
    const sentence = 'line 6, crews[0].inputs.topic must be a map of label, type, options, default, help, min, max';
    expect(problemsOf(text)).toEqual([sentence]);
  });
});

describe('a crews file with several mistakes', () => {
  it('is refused with all of them at once, in the order of the lines, each once', () => {
    const text = `# A comment
colour: red
crews:
  - name: research
    base_url: nowhere
    tokn: x
    inputs:
      depth:
        label: 1
        type: number
        default: deep
      tone:
        options: [calm, bold, calm, [loud], '\${TONE}']
        default: plain
      length:
        type: colour
        options: [short, short]
        default: 1
      style:
        type: choice
      day:
        type: date
        options: [monday]
        default: tomorrow
      extra:
        type: json
        default: ['\${EXTRA}']
  - name: Research
    base_url: https://\${HOST}/\${HOST}
    token: '\${TOKEN}'
    channel: one, two
    approval_notes: 'yes'
    approval_notes: 'no'
  - name: research
    base_url: https://c.example
    token: two words
    inputs:
      - topic
  - just text
`;
    expect(problemsOf(text, { TONE: 'bold' })).toEqual([
      "line 2, colour isn't a setting",
      'line 4, crews[0].token is missing: the bearer token of the crew, from its page in the control panel',
      'line 5, crews[0].base_url must be an address such as https://example.com',
      "line 6, crews[0].tokn isn't a setting; did you mean token?",
      'line 9, crews[0].inputs.depth.label must be text; put it in quotes',
      'line 11, crews[0].inputs.depth.default must be a number',
      'line 13, crews[0].inputs.tone.options[2] is already an option',
      'line 13, crews[0].inputs.tone.options[3] must be a text, a number, true, false or null',
      'line 13, crews[0].inputs.tone.options[4] is already an option',
      'line 14, crews[0].inputs.tone.default must be one of the options',
      'line 16, crews[0].inputs.length.type must be one of text, long_text, number, yes_no, choice, date, json',
      'line 17, crews[0].inputs.length.options[1] is already an option',
      'line 19, crews[0].inputs.style.options is missing: a choice needs options',
      'line 22, crews[0].inputs.day.type must be choice if there are options',
      'line 24, crews[0].inputs.day.default must be a date such as 2026-12-31',
      "line 27, crews[0].inputs.extra.default[0] names the variable EXTRA, which isn't set",
      'line 28, crews[1].name is already the name of another crew',
      "line 29, crews[1].base_url names the variable HOST, which isn't set",
      "line 30, crews[1].token names the variable TOKEN, which isn't set",
      'line 31, crews[1].channel must be the id (C0123456789) or the name of one channel',
      "line 33: this isn't YAML (duplicate key)",
      'line 33, crews[1].approval_notes must be true or false',
      'line 34, crews[2].name is already the name of another crew',
      'line 36, crews[2].token has a space or another character that no token has',
      'line 37, crews[2].inputs must be a map of input names',
      'line 39, crews[3] must be a map: name, base_url, token',
    ]);
  });

  it('isn’t said to have one where a variable that isn’t set may be what is looked for', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a crews file names a variable
    const [first, second] = ['${FIRST}', '${SECOND}'];
    const inputs = {
      tone: { options: [first, second, 'calm'], default: 'bold' },
      day: { type: 'date', default: first },
      depth: { type: first, default: 1 },
      length: { options: first, default: 1 },
    };
    const problems = problemsOf(fileOf({ ...CREW, name: first, inputs }, { ...CREW, name: second }));
    expect(problems.filter((problem) => !problem.includes('names the variable'))).toEqual([]);
    expect(problems).toHaveLength(7);
  });

  it('has too many options beside one that is wrong by itself', () => {
    const problems = inputProblemsOf({ options: [[], ...Array.from({ length: 101 }, (_, i) => i)], default: 'x' });
    expect(problems).toEqual([
      expect.stringContaining('has more than 100 options'),
      expect.stringContaining('options[0] must be a text'),
      expect.stringContaining('default must be one of the options'),
    ]);
  });
});

it.each(['', 'crews:', 'crews: []', '- name: a', 'crews: {}', 'just text'])('is not a crews file: "%s"', (text) => {
  expect(problemsOf(text)).toHaveLength(1);
});
