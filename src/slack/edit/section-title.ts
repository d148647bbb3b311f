import type { Say } from '../language/say.ts';
import { OPTION_LIMIT } from '../ui/limits.ts';
import { cutLine } from '../ui/text/cut.ts';
import type { Section } from './sections.ts';

/** A part of a text by its heading, or where it stands; plain text. */
export function sectionTitle({ heading, part }: Pick<Section, 'heading' | 'part'>, say: Say): string {
  if (heading === null) return part ? say('edit.part-of', part) : say('edit.beginning');
  const place = part ? ` (${part.number}/${part.of})` : '';
  return `${cutLine(heading, OPTION_LIMIT - place.length)}${place}`;
}
