import type { KnownBlock } from '@slack/types';

const KNOWN: { [type in KnownBlock['type']]: true } = {
  actions: true,
  alert: true,
  card: true,
  carousel: true,
  container: true,
  context: true,
  context_actions: true,
  data_table: true,
  divider: true,
  file: true,
  header: true,
  image: true,
  input: true,
  markdown: true,
  plan: true,
  rich_text: true,
  section: true,
  table: true,
  task_card: true,
  video: true,
};

/** The server has validated every block, so checking the type is enough. */
export function isKnownBlock(block: { type: string }): block is KnownBlock {
  return block.type in KNOWN;
}
