import type { Json } from '../../core/json.ts';
import { wellFormed } from './plain-text.ts';

/** Beyond this an object is shown as compact JSON: nobody reads so much of it, and indenting it could make it enormous. */
const LONGEST_PRETTY = 1_048_576;
/** Indenting deep hostile values makes more blanks than text. */
const MOST_GROWTH = 8;

/** What a task or crew gave, as the text that people read: strings as they are, objects as indented JSON, nothing as ''. */
export function outputText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return wellFormed(value);
  const compact = JSON.stringify(value);
  if (compact.length > LONGEST_PRETTY) return wellFormed(compact);
  const pretty = JSON.stringify(value, null, 2);
  return wellFormed(pretty.length > compact.length * MOST_GROWTH + 100 ? compact : pretty);
}
