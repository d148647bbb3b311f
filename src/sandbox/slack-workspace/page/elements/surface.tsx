import { createContext, useContext } from 'react';
import type { ElementInput, PersonProblem } from '../../person-actions.ts';

/** What carries elements: a message, a modal or the Home tab. */
export type Surface = {
  /** Unique on the page: begins every DOM id of this surface. */
  key: string;
  /** A modal's buttons are inactive while its submission is on its way. */
  isFrozen: boolean;
  valueOf(blockId: string, actionId: string): ElementInput | undefined;
  /** Keeps what is typed or chosen. */
  hold(blockId: string, actionId: string, input: ElementInput): void;
  /** Tells the app; resolves when the app has answered, with the problem to show beside the element, if any. */
  use(blockId: string, actionId: string, input: ElementInput, confirmed: boolean): Promise<PersonProblem | undefined>;
  /** Error texts under input blocks, by `block_id`. */
  errors: { [blockId: string]: string };
};

const SurfaceContext = createContext<Surface | undefined>(undefined);
export const SurfaceProvider = SurfaceContext.Provider;

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('An element stands outside a message or view');
  return surface;
}
