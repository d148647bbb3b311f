import { z } from 'zod';
import { parse } from '../../ui/button-value.ts';

/** What the choice of a crew and a channel carries from when it is shown to when it is submitted. */
export type ChoiceMetadata = z.infer<typeof METADATA>;

const METADATA = z.object({
  /** The crew that it shows. */
  crew: z.string(),
  /** The channel that it was shown with; null if the person has to choose one. */
  preset: z.string().nullable(),
  /** Whether that is the crew's own channel, so that another crew has another. */
  presetBy: z.enum(['crew', 'person']),
  /** The number of characters of the message that the form is to begin with; null for a start without one. */
  messageLength: z.number().int().nullable(),
});

export function choiceMetadata({ crew, preset, presetBy, messageLength }: ChoiceMetadata): string {
  return JSON.stringify({ crew, preset, presetBy, messageLength });
}

/** Null if the metadata isn't that of a choice. */
export function parseChoiceMetadata(value: string): ChoiceMetadata | null {
  return parse(METADATA, value);
}
