import type { ModalView } from '@slack/types';
import { inputFields } from '../../../src/core/policy/crew.ts';
import type { InputField, InputType } from '../../../src/core/values/input-field.ts';
import { type ChosenMessage, textInputs } from '../../../src/slack/features/kickoff/choice/message-blocks.ts';
import { choiceModal } from '../../../src/slack/features/kickoff/choice/modal.ts';
import { kickoffForm } from '../../../src/slack/features/kickoff/form.ts';
import { startedModal } from '../../../src/slack/features/kickoff/progress.ts';
import { enoughOf } from './hostile.ts';
import { say } from './models.ts';

/** The modals of a start from anywhere, with the given text wherever foreign text goes. */
export function startModals(text: string): [string, ModalView][] {
  const name = text.slice(0, 75);
  const [alone, many] = [crewsNamed(text, 1), crewsNamed(text, 120)];
  const preset = { crew: many[0]?.name ?? name, preset: 'C1', presetBy: 'crew' } as const;
  const messages: ChosenMessage[] = [
    { text, length: text.length, inputs: { kind: 'inputs', fields: textInputs(fieldsOf(text, 150)) } },
    { text, length: 5_000, inputs: { kind: 'inputs', fields: textInputs(fieldsOf(text, 1)) } },
    { text, length: 0, inputs: { kind: 'inputs', fields: [] } },
    ...(['unreachable', 'busy'] as const).map(
      (code): ChosenMessage => ({ text, length: 0, inputs: { kind: 'unknown', code } }),
    ),
  ];
  const form = { crews: alone, crew: name, fields: fieldsOf(text, 2), values: {}, missing: [], wrong: {}, notes: [] };
  const place = { channel: 'C1', channelFrom: 'choice', sharing: 'shared' } as const;
  return [
    ['choice, of one crew', choiceModal({ ...preset, crews: alone, preset: null, message: null }, say)],
    ...messages.map((message, i): [string, ModalView] => [
      `choice, with message ${i}`,
      choiceModal({ ...preset, crews: i === 0 ? many : many.slice(0, 2), message }, say),
    ]),
    ['form, after the choice', kickoffForm({ ...form, ...place, attempt: 0, say })],
    ['started, after the choice', startedModal({ crew: text, channel: 'C1', link: null }, say)],
  ];
}

function crewsNamed(text: string, count: number) {
  return Array.from({ length: count }, (_, i) => ({ name: `${i} ${text.slice(0, 70)}`, description: text }));
}

function fieldsOf(text: string, count: number): InputField[] {
  const names = Array.from({ length: count }, (_, i) => `${i}${enoughOf(text)}`.slice(0, 255));
  const types: InputType[] = ['text', 'long_text', 'json'];
  return inputFields(names, {}).map((field, i) => ({ ...field, type: types[i % types.length] ?? 'text', label: text }));
}
