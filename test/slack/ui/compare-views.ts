import type { ModalView } from '@slack/types';
import { DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { compareModal } from '../../../src/slack/features/compare/modal.ts';
import { compareTexts } from '../../../src/slack/ui/comparison/compare-texts.ts';
import type { Comparison } from '../../../src/slack/ui/comparison/comparison.ts';
import { card, say } from './models.ts';

/** What a text can be compared with: something else, itself with more around it, and itself with other words in each line. */
function othersOf(text: string): [string, string][] {
  return [
    ['another text', 'A calm text.\n\n# Calm\n\nNothing else.'],
    ['more around it', `# First\n\nA line.\n${text}\n\n\`\`\`\ncode`],
    ['other words in it', text.split('a').join('b')],
  ];
}

/** Every window with what changed, with the given text wherever foreign text goes. */
export function compareModals(text: string): [string, ModalView][] {
  const key = { ref: 'r1', before: 'a'.repeat(64), after: 'b'.repeat(64), title: text, round: 2 };
  const compared = othersOf(text).flatMap(([name, other]) =>
    [
      [name, compareTexts(other, text)] as const,
      [`${name}, the other way round`, compareTexts(text, other)] as const,
    ].flatMap(([what, comparison]) =>
      [0, 1, 1_000].map((page): [string, ModalView] => [
        `compared with ${what}, page ${page}`,
        compareModal(say, {
          key,
          comparison,
          decidable: {
            model: card({ crew: text, taskName: text }),
            policies: [DEFAULT_POLICY],
            isLent: false,
            notes: 'offered',
            edits: 'offered',
          },
          page,
        }),
      ]),
    ),
  );
  const kinds = (['same', 'unseen', 'too-large'] as const).map((kind): [string, Comparison | null] => [kind, { kind }]);
  return [
    ...compared,
    ...[...kinds, ['gone', null] as const].map(([kind, comparison]): [string, ModalView] => [
      `compared, ${kind}`,
      compareModal(say, { key, comparison, decidable: null, page: 0 }),
    ]),
  ];
}
