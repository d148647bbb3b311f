/**
 * How plainly a message is rendered, plainest last. Slack may refuse what a crew wrote, in ways that nobody has documented:
 * then the message is sent in a plainer rendering, never again in the refused one. `bare` shows no foreign text at all.
 */
const RENDERINGS = ['full', 'rich-text', 'plain-text', 'bare'] as const;

export type Rendering = (typeof RENDERINGS)[number];

/** The renderings that are left once this one was refused. */
export function plainerThan(rendering: Rendering): readonly Rendering[] {
  return RENDERINGS.slice(RENDERINGS.indexOf(rendering) + 1);
}
