import type { Datepicker, DateTimepicker, Timepicker } from '@slack/types';
import { controlAttributes, type ElementProps } from './control.ts';
import { Frame } from './frame.tsx';
import { useElement } from './use-element.ts';

export function MomentView({ element, blockId, control }: ElementProps<Datepicker | Timepicker>) {
  const state = useElement(element, blockId, control);
  return (
    <Frame state={state}>
      <input
        {...controlAttributes(control)}
        className="field field-short"
        type={element.type === 'datepicker' ? 'date' : 'time'}
        value={state.value?.kind === 'moment' ? (state.value.value ?? '') : ''}
        onChange={({ target }) => state.put({ kind: 'moment', value: target.value || null })}
      />
    </Frame>
  );
}

/** Date and time in the viewer's time zone. */
export function InstantView({ element, blockId, control }: ElementProps<DateTimepicker>) {
  const state = useElement(element, blockId, control);
  const seconds = state.value?.kind === 'instant' ? state.value.seconds : null;
  const put = (value: string) => {
    const typed = new Date(value).getTime();
    state.put({ kind: 'instant', seconds: Number.isNaN(typed) ? null : typed / 1000 });
  };
  return (
    <Frame state={state}>
      <input
        {...controlAttributes(control)}
        className="field field-short"
        type="datetime-local"
        value={seconds === null ? '' : localMinute(seconds)}
        onChange={({ target }) => put(target.value)}
      />
    </Frame>
  );
}

/** `YYYY-MM-DDTHH:mm` in local time, for a `datetime-local` field. */
function localMinute(seconds: number): string {
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
