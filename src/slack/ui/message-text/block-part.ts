import { z } from 'zod';

const STRING = z.string().catch('');
const PARTS = z.array(z.unknown()).catch([]);

const TEXT = z.object({ type: STRING, text: STRING });

const PART = z.object({
  type: STRING,
  text: z.union([z.string(), TEXT]).catch(''),
  elements: PARTS,
  fields: PARTS,
  style: STRING,
  indent: z.number().catch(0),
  url: STRING,
  user_id: STRING,
  usergroup_id: STRING,
  channel_id: STRING,
  range: STRING,
  name: STRING,
  unicode: STRING,
  fallback: STRING,
  alt_text: STRING,
});

/** A block, or an element of one, with what we read of either; what it lacks is empty. */
export type BlockPart = z.infer<typeof PART>;

const EMPTY: BlockPart = PART.parse({});

/** Other people's blocks may be of any kind, so that nothing about them is certain. */
export function blockPart(value: unknown): BlockPart {
  return PART.safeParse(value).data ?? EMPTY;
}
