import type { ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import type { ElementState } from './use-element.ts';

/** Adds the confirm dialog and the ⚠ of a failed use to an element. */
export function Frame({ state, children }: { state: ElementState; children: ReactNode }) {
  return (
    <div className="element">
      {children}
      {state.problem !== undefined && (
        <span className="element-problem" role="alert">
          <span aria-hidden="true">⚠</span> {state.problem}
        </span>
      )}
      {state.question && <ConfirmDialog {...state.question} />}
    </div>
  );
}
