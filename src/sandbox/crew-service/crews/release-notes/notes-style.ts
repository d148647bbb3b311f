import { type Instructions, namesIn } from '../instructions.ts';
import { KINDS, type Kind } from './changes.ts';

/** How the notes are to look. */
export type NotesStyle = {
  readonly title: string | undefined;
  /** How many changes a section names before it counts the rest. */
  readonly perSection: number;
  readonly groupBy: 'kind' | 'author' | 'area';
  readonly leftOut: readonly Kind[];
};

export const FIRST_STYLE: NotesStyle = { title: undefined, perSection: 8, groupBy: 'kind', leftOut: [] };

export const NOTES_INSTRUCTIONS: Instructions<NotesStyle> = {
  shorter: (style) => ({ ...style, perSection: Math.ceil(style.perSection / 2) }),
  longer: (style) => ({ ...style, perSection: style.perSection * 2 }),
  'all changes': (style) => ({ ...style, perSection: Number.POSITIVE_INFINITY }),
  'leave out SECTIONS': (style, words) => {
    const kinds = namesIn(words, KINDS);
    return kinds && { ...style, leftOut: [...style.leftOut, ...kinds] };
  },
  'only SECTIONS': (style, words) => {
    const kinds = namesIn(words, KINDS);
    return kinds && { ...style, leftOut: KINDS.filter((kind) => !kinds.includes(kind)) };
  },
  'group by author': (style) => ({ ...style, groupBy: 'author' }),
  'group by area': (style) => ({ ...style, groupBy: 'area' }),
  'group by kind': (style) => ({ ...style, groupBy: 'kind' }),
  'title: TEXT': (style, title) => ({ ...style, title }),
};
