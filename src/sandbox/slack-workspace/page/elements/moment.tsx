import type { Datepicker, DateTimepicker, Timepicker } from '@slack/types';
import { controlAttributes, type ElementProps } from './control.ts';
import { Frame } from './frame.tsx';
import { useElement } from './use-element.ts';
import { useSettling } from './use-settling.ts';

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
    const typed = new Date(value).getTime();
    change({ kind: 'instant', seconds: Number.isNaN(typed) ? null : typed / 1000 });
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
