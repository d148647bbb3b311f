import { describe, expect, it } from 'vitest';
import { inputFields } from '../../../../src/core/policy/crew.ts';
import type { Inputs, Json } from '../../../../src/core/values/json.ts';
import { checkView } from '../../../../src/sandbox/slack-workspace/block-kit/check-view.ts';
import { readPickedCrew } from '../../../../src/slack/features/kickoff/crew-picker.ts';
import { kickoffForm, kickoffMetadata } from '../../../../src/slack/features/kickoff/form.ts';
import { section } from '../../../../src/slack/ui/blocks.ts';
import type { FormValues } from '../../../../src/slack/ui/button-value.ts';
import { inputBlockId, readFields } from '../../../../src/slack/ui/form-inputs.ts';
import { hint } from '../../../crew/crew-values.ts';
import { say } from '../../ui/models.ts';
import { partsOf, said } from '../../ui/said.ts';

const NAMES = ['topic', 'about', 'pages', 'draft', 'tone', 'day', 'more'];
const FIELDS = inputFields(NAMES, {
  topic: hint({ label: 'Topic', help: 'What it is about.' }),
  about: hint({ type: 'long_text' }),
  pages: hint({ type: 'number' }),
  draft: hint({ type: 'yes_no' }),
  tone: hint({ type: 'choice', options: ['calm', 'loud', 7] }),
  day: hint({ type: 'date' }),
  more: hint({ type: 'json' }),
});
const VALUES: Inputs = {
  topic: 'Bees',
  about: 'a\nb',
  pages: 3.5,
  draft: false,
  tone: 7,
  day: '2026-12-31',
  more: [1],
};

const named = (name: string) => ({ name, description: null });

function form(change: Partial<Parameters<typeof kickoffForm>[0]> = {}) {
  const { blocks, ...view } = kickoffForm({
    crews: [named('Research')],
    crew: 'Research',
    fields: FIELDS,
    values: {},
    missing: [],
    wrong: {},
    notes: [],
    sharing: 'own',
    say,
    attempt: 0,
    channel: 'C1',
    ...change,
  });
  return { ...view, blocks };
}

/** What Slack sends if the form is submitted as it is. */
function submitted(view: ReturnType<typeof form>): FormValues {
  const inputs = view.blocks.flatMap((block) => ('element' in block && block.block_id ? [block] : []));
  return Object.fromEntries(
    inputs.map(({ block_id: id = '', element }) => {
      const held = Object.fromEntries(Object.entries(element));
      const state = {
        type: element.type,
        value: held.initial_value ?? null,
        selected_date: held.initial_date ?? null,
        selected_option: held.initial_option ?? null,
      };
      return [id, { [held.action_id]: state }];
    }),
  );
}

const blockOf = (name: string) => inputBlockId(FIELDS.find((field) => field.name === name) ?? { name, type: 'text' });
const withTyped = (name: string, value: string): FormValues => ({
  ...submitted(form({ values: VALUES })),
  [blockOf(name)]: { input: { type: 'plain_text_input', value } },
});

describe('the kickoff form', () => {
  it('returns the values it was prefilled with, in the same JSON types', () => {
    expect(readFields(submitted(form({ values: VALUES })), FIELDS, say)).toEqual({ ok: true, value: VALUES });
  });

  it.each<Json>(['text', '12', 'true', '', null, 0, false, { a: ['“b”'] }])(
    'gives back %j in a field for JSON as what it was',
    (more) => {
      const value = { ...VALUES, more };
      expect(readFields(submitted(form({ values: value })), FIELDS, say)).toEqual({ ok: true, value });
    },
  );

  it('tells choices apart that look alike', () => {
    const fields = inputFields(['size'], { size: hint({ type: 'choice', options: ['1', 1, null] }) });
    for (const size of ['1', 1, null]) {
      const view = form({ fields, values: { size } });
      expect(readFields(submitted(view), fields, say)).toEqual({ ok: true, value: { size } });
    }
  });

  it('asks again, without an error, if an earlier value no longer fits its field', () => {
    const unfit = {
      topic: { a: 1 },
      about: 7,
      pages: 'many',
      draft: 'perhaps',
      tone: 'shrill',
      day: 'soon',
      more: 1e21,
    };
    const view = form({ values: unfit });
    expect(checkView(JSON.parse(JSON.stringify(view)))).toEqual([]);
    expect(readFields(submitted(view), FIELDS, say)).toEqual({
      ok: true,
      value: { topic: '{"a":1}', about: '7', more: 1e21 },
    });
    expect(view.blocks.flatMap((block) => ('optional' in block ? [block.optional] : []))).not.toContain(true);
  });

  it('shows labels and help', () => {
    expect(said(form())).toContain('Topic');
    expect(said(form())).toContain('What it is about.');
  });

  it('prefills defaults, which can be changed but not overlooked', () => {
    const fields = inputFields(['topic', 'pages'], { pages: hint({ type: 'number', default: 3 }) });
    const view = form({ fields });
    expect(view.blocks.map((block) => 'optional' in block && block.optional)).toEqual([false, false]);
    expect(said(view)).not.toContain('left empty');
    expect(readFields(submitted(view), fields, say)).toEqual({ ok: true, value: { pages: 3 } });
  });

  it('lets a field stay empty if its default is empty or too long for it', () => {
    const fields = inputFields(['remark', 'terms'], {
      remark: hint({ default: '' }),
      terms: hint({ default: 'x'.repeat(3_001) }),
    });
    const view = form({ fields });
    expect(view.blocks.map((block) => 'optional' in block && block.optional)).toEqual([true, true]);
    expect(said(view).match(/If left empty: x+…/g)).toHaveLength(1);
    expect(readFields(submitted(view), fields, say)).toEqual({
      ok: true,
      value: { remark: '', terms: 'x'.repeat(3_001) },
    });
  });

  it('sends the default of a field that the form didn’t have', () => {
    const fields = inputFields(['topic', 'pages'], { pages: hint({ type: 'number', default: 3 }) });
    const empty = { [blockOf('topic')]: { input: { type: 'plain_text_input', value: 'x' } } };
    expect(readFields(empty, fields, say)).toEqual({ ok: true, value: { topic: 'x', pages: 3 } });
  });

  it('says what is missing and keeps the rest', () => {
    const view = form({ missing: ['topic', 'day'], values: { about: 'kept' } });
    expect(said(view)).toContain('Still missing: “Topic” and “day”');
    expect(said(view)).toContain('Topic (missing)');
    expect(readFields(submitted(view), FIELDS, say)).toEqual({ ok: true, value: { about: 'kept' } });
  });

  it('shows an error at its field', () => {
    expect(readFields(withTyped('more', '{"a":'), FIELDS, say)).toEqual({
      ok: false,
      refusal: { [blockOf('more')]: expect.stringContaining('valid JSON') },
    });
  });

  it('keeps text exactly as it was typed', () => {
    const result = readFields(withTyped('topic', '  two  words \n'), FIELDS, say);
    expect(result).toMatchObject({ ok: true, value: { topic: '  two  words \n' } });
  });

  it('offers more than a hundred choices in groups', () => {
    const options = Array.from({ length: 250 }, (_, i) => `Country ${i}`);
    const fields = inputFields(['country'], { country: hint({ type: 'choice', options }) });
    const view = form({ fields, values: { country: 'Country 230' } });
    expect(partsOf(view.blocks).filter((part) => 'options' in part)).toHaveLength(3);
    expect(readFields(submitted(view), fields, say)).toEqual({ ok: true, value: { country: 'Country 230' } });
  });

  it('says that a value is too long for a field', () => {
    expect(said(form({ values: { topic: 'x'.repeat(5_000) } }))).toContain('5,000 characters; a field holds 3,000');
  });

  it('says that a crew has too many inputs, or too long names, for a form', () => {
    const many = Array.from({ length: 120 }, (_, i) => `input ${i}`);
    expect(said(form({ fields: inputFields(many, {}) }))).toContain('asks for 120 inputs');
    expect(said(form({ fields: inputFields(['n'.repeat(300)], {}) }))).toContain('a name of 300 characters');
  });

  it('has a picker if there are several crews', () => {
    const view = form({ crews: [named('Research'), named('Press')], crew: 'Press' });
    expect(readPickedCrew(submitted(view))).toBe('Press');
    expect(readPickedCrew(submitted(form()))).toBeNull();
  });

  it('says what each crew is for', () => {
    const crews = [{ name: 'Research', description: 'Finds things out' }, named('Press')];
    const [picker] = partsOf(form({ crews }).blocks).filter((part) => 'options' in part);
    expect(JSON.stringify(picker?.options)).toContain('Finds things out');
    expect(said(form({ crews: crews.slice(0, 1) }))).toContain('Finds things out');
  });

  it('marks what is wrong at its field, which can’t be left empty then', () => {
    const fields = inputFields(['pages'], { pages: hint({ type: 'number', default: 3, min: 1, max: 20 }) });
    const view = form({ fields, values: { pages: 21 }, wrong: { pages: '21 is too large: at most 20.' } });
    expect(said(view)).toContain('⚠️ pages');
    expect(said(view)).toContain('21 is too large: at most 20.');
    expect(view.blocks.at(-1)).toMatchObject({ optional: false, element: { min_value: '1', max_value: '20' } });
    expect(checkView(JSON.parse(JSON.stringify(view)))).toEqual([]);
  });

  it('asks in a shared channel', () => {
    expect(said(form({ sharing: 'shared' }))).toContain('shared with another organisation');
    expect(said(form({ sharing: 'unknown' }))).toContain('Slack can’t say right now');
  });

  it('keeps a field’s ids whatever else the form shows, so that Slack keeps what was typed', () => {
    const ids = (view: ReturnType<typeof form>) =>
      partsOf(view.blocks).flatMap((part) => (part.type === 'input' ? [part.block_id] : []));
    expect(ids(form({ missing: ['topic'], notes: [section('Sorry')], values: VALUES }))).toEqual(ids(form()));
  });

  it('carries its crew, channel and attempt', () => {
    const { private_metadata = '' } = form({ attempt: 2 });
    expect(kickoffMetadata.read(private_metadata)).toEqual({
      crew: 'Research',
      channelFrom: 'place',
      channel: 'C1',
      attempt: 2,
      unreported: [],
      sharing: 'own',
    });
    expect(kickoffMetadata.read('{}')).toBeNull();
    expect(kickoffMetadata.read('')).toBeNull();
  });
});
