import { isDeepStrictEqual } from 'node:util';
import { plainerThan, type Rendering } from '../../core/messages/rendering.ts';
import type { Rendered } from '../ui/blocks.ts';
import { render } from './render.ts';
import type { RenderPorts, Wanted } from './render-ports.ts';

/** The next plainer rendering of a message that differs from the refused one; null if there is none. */
export async function plainerRendering(
  ports: RenderPorts,
  wanted: Wanted,
  refused: Rendered,
): Promise<Rendering | null> {
  for (const rendering of plainerThan(wanted.rendering)) {
    const plainer = await render(ports, { ...wanted, rendering });
    if (typeof plainer === 'object' && !isDeepStrictEqual(plainer, refused)) return rendering;
  }
  return null;
}
