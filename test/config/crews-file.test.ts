import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseCrewsFile } from '../../src/config/crews-file.ts';
import type { Crew, InputHint } from '../../src/core/crew.ts';

const CREW = { name: 'research', base_url: 'https://crew.example.com', token: 'crew-token' };

const fileOf = (...crews: object[]) => stringify({ crews });

function crewsOf(text: string, env: Record<string, string> = {}): Crew[] {
  const crews = parseCrewsFile(text, env);
  if (!crews.ok) throw new Error(crews.refusal.join('\n'));
  return crews.value;
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

describe('a crew', () => {
  it.each(['research', 'Research-2.0_beta', '7'])('may be called %s', (name) => {
    expect(crewsOf(fileOf({ ...CREW, name }))[0]?.name).toBe(name);
  });

  it.each(['', 'a b', 'a/b', 'ä', '.', '..', '-x', 'help', 'x'.repeat(65)])('can\'t be called "%s"', (name) => {
    expect(problemsOf(fileOf({ ...CREW, name }))).toHaveLength(1);
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
  ])('has no %s, but may have a %s', (written, meant) => {
    expect(problemsOf(fileOf({ ...CREW, [written]: 'x' })).join()).toContain(
      `crews[0].${written} isn't a setting; did you mean ${meant}?`,
    );
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
    expect(inputOf({})).toEqual({ label: null, type: 'text', options: [], default: null, help: null });
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
    ['label', { label: 1 }],
    ['optoins', { optoins: ['a'] }],
  ])('is refused for its %s', (key, settings) => {
    expect(inputProblemsOf(settings)).toEqual([expect.stringContaining(`crews[0].inputs.topic.${key} `)]);
  });

  it.each(['', 'long_text', '[text]'])('is more than "%s"', (settings) => {
    const text = `crews:\n  - name: research\n    base_url: https://a.example\n    token: t\n    inputs:\n      topic: ${settings}\n`;
    const sentence = 'line 6, crews[0].inputs.topic must be a map of label, type, options, default, help';
    expect(problemsOf(text)).toEqual([sentence]);
  });
});

it.each(['', 'crews:', 'crews: []', '- name: a', 'crews: {}', 'just text'])('is not a crews file: "%s"', (text) => {
  expect(problemsOf(text)).toHaveLength(1);
});
