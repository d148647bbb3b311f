import type {
  Checkboxes,
  Datepicker,
  DateTimepicker,
  EmailInput,
  FileInput,
  NumberInput,
  Option,
  PlainTextInput,
  RadioButtons,
  RichTextInput,
  Timepicker,
  URLInput,
} from '@slack/types';
import { type ChangeEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { ChosenFile } from '../../person-actions.ts';
import { Icon } from '../shell/icon.tsx';
import { upload } from '../state/acting.tsx';
import { useDirectory } from '../state/directory.tsx';
import { textWithEmoji } from '../text/emoji.ts';
import { TextObjectView } from '../text/mrkdwn.tsx';
import { controlAttributes, type ElementProps, Frame, useElement, useSettling } from './use-element.tsx';

type TextElement = PlainTextInput | NumberInput | EmailInput | URLInput | RichTextInput;

/** All text inputs. Rich text is entered as plain text. */
export function TextFieldView({ element, blockId, control }: ElementProps<TextElement>) {
  const state = useElement(element, blockId, control);
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  const take = (value: string) => {
    const input = { kind: 'text', value } as const;
    if (triggers.includes('on_character_entered')) state.put(input);
    else state.hold(input);
  };
  const value = state.value?.kind === 'text' ? state.value.value : '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || !control.dispatches || !triggers.includes('on_enter_pressed'))
      return;
    event.preventDefault();
    state.put({ kind: 'text', value });
  };
  const attributes = {
    ...controlAttributes(control),
    className: 'field',
    placeholder: element.placeholder && textWithEmoji(element.placeholder),
    'data-focus-on-load': element.focus_on_load,
    value,
    onKeyDown,
    onChange: (event: { target: { value: string } }) => take(event.target.value),
  };
  const isLong = element.type === 'rich_text_input' || (element.type === 'plain_text_input' && element.multiline);
  return (
    <Frame state={state}>
      {isLong ? <textarea rows={4} {...attributes} /> : <input {...attributes} {...keyboardOf(element)} />}
    </Frame>
  );
}

/** No `type="number"`: it drops input that isn't a number, so validation errors would never show. */
function keyboardOf(element: TextElement) {
  switch (element.type) {
    case 'number_input':
      return { type: 'text', inputMode: element.is_decimal_allowed ? 'decimal' : 'numeric' } as const;
    case 'email_text_input':
      return { type: 'text', inputMode: 'email', autoComplete: 'off' } as const;
    case 'url_text_input':
      return { type: 'text', inputMode: 'url', autoComplete: 'off' } as const;
    case 'plain_text_input':
    case 'rich_text_input':
      return { type: 'text', autoComplete: 'off' } as const;
  }
}

export function ChoiceView({ element, blockId, control }: ElementProps<Checkboxes | RadioButtons>) {
  const state = useElement(element, blockId, control);
  const offered = element.options.map(({ value }) => value);
  const chosen = state.value?.kind === 'options' ? state.value.values.filter((value) => offered.includes(value)) : [];
  const isMany = element.type === 'checkboxes';
  const toggle = (value: string, isOn: boolean) => {
    const values = isMany ? [...chosen.filter((other) => other !== value), ...(isOn ? [value] : [])] : [value];
    state.put({ kind: 'options', values });
  };
  return (
    <Frame state={state}>
      <fieldset className="choices" id={control.id} aria-label={control.label} aria-describedby={control.describedBy}>
        {element.options.map((option) => (
          <Choice
            key={option.value}
            option={option}
            type={isMany ? 'checkbox' : 'radio'}
            name={control.id}
            isChosen={chosen.includes(option.value ?? '')}
            onChange={(isOn) => toggle(option.value ?? '', isOn)}
          />
        ))}
      </fieldset>
    </Frame>
  );
}

type ChoiceProps = {
  option: Option;
  type: 'checkbox' | 'radio';
  name: string;
  isChosen: boolean;
  onChange(isOn: boolean): void;
};

function Choice({ option, type, name, isChosen, onChange }: ChoiceProps) {
  return (
    <label className="choice">
      <input type={type} name={name} checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
      <span>
        <TextObjectView text={option.text} />
        {option.description && <span className="choice-description">{textWithEmoji(option.description)}</span>}
      </span>
    </label>
  );
}

export function MomentView({ element, blockId, control }: ElementProps<Datepicker | Timepicker>) {
  const state = useElement(element, blockId, control);
  const { change, settle } = useSettling(state);
  const timezone = element.type === 'timepicker' ? element.timezone : undefined;
  const zoneId = timezone === undefined ? undefined : `${control.id}-zone`;
  const describedBy = [control.describedBy, zoneId].filter(Boolean).join(' ') || undefined;
  return (
    <Frame state={state}>
      <input
        {...controlAttributes({ ...control, describedBy })}
        className="field field-short"
        type={element.type === 'datepicker' ? 'date' : 'time'}
        data-focus-on-load={element.focus_on_load}
        value={state.value?.kind === 'moment' ? (state.value.value ?? '') : ''}
        onChange={({ target }) => change({ kind: 'moment', value: target.value || null })}
        onBlur={settle}
        onKeyDown={({ key }) => key === 'Enter' && settle()}
      />
      {timezone !== undefined && (
        <span className="input-hint" id={zoneId}>
          {timezone.replaceAll('_', ' ')} time
        </span>
      )}
    </Frame>
  );
}

/** Date and time in the viewer's time zone. */
export function InstantView({ element, blockId, control }: ElementProps<DateTimepicker>) {
  const state = useElement(element, blockId, control);
  const seconds = state.value?.kind === 'instant' ? state.value.seconds : null;
  const { change, settle } = useSettling(state);
  const put = (value: string) => {
    const instant = new Date(value).getTime();
    change({ kind: 'instant', seconds: Number.isNaN(instant) ? null : instant / 1000 });
  };
  return (
    <Frame state={state}>
      <input
        {...controlAttributes(control)}
        className="field field-short"
        type="datetime-local"
        value={seconds === null ? '' : localMinute(seconds)}
        onChange={({ target }) => put(target.value)}
        onBlur={settle}
        onKeyDown={({ key }) => key === 'Enter' && settle()}
      />
    </Frame>
  );
}

/** `YYYY-MM-DDTHH:mm` in local time, for a `datetime-local` field. */
function localMinute(seconds: number): string {
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Ten, unless it says otherwise. https://docs.slack.dev/reference/block-kit/block-elements/file-input-element */
const MOST_FILES = 10;

/** Uploads files as they are chosen, and lists them with a button to remove each. */
export function FileInputView({ element, blockId, control }: ElementProps<FileInput>) {
  const state = useElement(element, blockId, control);
  const { meId } = useDirectory();
  const [note, setNote] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const chosen = state.value?.kind === 'files' ? state.value.files : [];
  const most = element.max_files ?? MOST_FILES;
  const hold = (files: ChosenFile[]) => state.hold({ kind: 'files', files });
  const add = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    // A file can be chosen again after it was removed.
    target.value = '';
    setNote('Uploading…');
    try {
      hold([...chosen, ...(await Promise.all(files.map((file) => upload(meId, file))))]);
      setNote('');
    } catch {
      setNote('That upload failed. Try again.');
    }
  };
  const remove = (gone: ChosenFile) => {
    hold(chosen.filter((file) => file !== gone));
    // The focus would go with the button.
    field.current?.focus();
  };
  const isFull = chosen.length >= most;
  return (
    <Frame state={state}>
      <div className="file-input">
        <ChosenFiles files={chosen} remove={remove} />
        <input
          {...controlAttributes(control)}
          ref={field}
          type="file"
          className="visually-hidden"
          multiple={most > 1}
          accept={element.filetypes?.map((extension) => `.${extension}`).join(',')}
          disabled={state.isFrozen}
          // Not disabled, which would drop the focus.
          aria-disabled={isFull}
          onClick={(event) => isFull && event.preventDefault()}
          onChange={(event) => void add(event)}
        />
        <label className="button" htmlFor={control.id} aria-disabled={isFull || state.isFrozen}>
          <Icon name="plus" />
          {most > 1 ? 'Add files' : 'Add a file'}
        </label>
        <span className="file-input-note" role="status">
          {isFull ? 'No more files can be added.' : note}
        </span>
      </div>
    </Frame>
  );
}

function ChosenFiles({ files, remove }: { files: ChosenFile[]; remove(file: ChosenFile): void }) {
  if (files.length === 0) return null;
  return (
    <ul className="chips">
      {files.map((file) => (
        <li key={file.id}>
          <button type="button" className="chip" aria-label={`Remove ${file.name}`} onClick={() => remove(file)}>
            {file.name} <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
