import { createContext, useContext } from 'react';
import type { ElementInput, PersonProblem } from '../../person-actions.ts';

/** What contains elements: a message, a modal or the Home tab. */
export type Surface = {
  /** Unique on the page; prefixes all DOM ids in this surface. */
  key: string;
  /** True while a modal is being submitted: its buttons are disabled. */
  isFrozen: boolean;
  valueOf(blockId: string, actionId: string): ElementInput | undefined;
  /** Stores a value without notifying the app. */
  hold(blockId: string, actionId: string, input: ElementInput): void;
  /** Notifies the app. Resolves once it has answered, with the problem to show beside the element, if any. */
  use(blockId: string, actionId: string, input: ElementInput, confirmed: boolean): Promise<PersonProblem | undefined>;
  /** Error texts under input blocks, by `block_id`. */
  errors: { [blockId: string]: string };
};

const SurfaceContext = createContext<Surface | undefined>(undefined);
export const SurfaceProvider = SurfaceContext.Provider;

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('useSurface needs a SurfaceProvider');
  return surface;
}
