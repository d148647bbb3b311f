import type { PlainTextOption, StaticSelect } from '@slack/types';
import { plain } from './blocks.ts';
import { OPTIONS_PER_GROUP } from './limits.ts';

/** The options, in groups if they are too many for one list. */
export function grouped(options: PlainTextOption[]): Pick<StaticSelect, 'options' | 'option_groups'> {
  if (options.length <= OPTIONS_PER_GROUP) return { options };
  const starts = Array.from({ length: Math.ceil(options.length / OPTIONS_PER_GROUP) }, (_, i) => i * OPTIONS_PER_GROUP);
  return {
    option_groups: starts.map((start) => {
      const held = options.slice(start, start + OPTIONS_PER_GROUP);
      return { label: plain(`${start + 1}–${start + held.length}`), options: held };
    }),
  };
}
