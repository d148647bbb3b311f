import type { ReactNode } from 'react';

/** A control below its label. */
export function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is given as a child.
    <label className="labelled">
      <span className="input-label">{label}</span>
      {children}
    </label>
  );
}
