import type { JsonObject } from '../json.ts';
import type { ElementInput } from '../person-actions.ts';

/** The kind of input an element takes; undefined if it isn't interactive. */
export function inputKind(element: JsonObject): ElementInput['kind'] | undefined {
  const type = String(element.type);
  if (/^(plain_text|number|email_text|url_text)_input$/.test(type)) return 'text';
  if (/^(multi_)?static_select$|^radio_buttons$|^checkboxes$|^overflow$/.test(type)) return 'options';
  if (/^(multi_)?(users|channels|conversations)_select$/.test(type)) return 'ids';
  if (type === 'datepicker' || type === 'timepicker') return 'moment';
  if (type === 'datetimepicker') return 'instant';
  if (type === 'file_input') return 'files';
  if (/button/.test(type)) return 'press';
  return undefined;
}

/** Returns true if the element's value is part of the state of its view or message. */
export function isStateful(element: JsonObject): boolean {
  const kind = inputKind(element);
  return kind !== undefined && kind !== 'press' && element.type !== 'overflow';
}

/** Returns true if more than one option or id may be chosen. */
export function takesMany(element: JsonObject): boolean {
  return element.type === 'checkboxes' || String(element.type).startsWith('multi_');
}
