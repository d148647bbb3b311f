export type Control = {
  id: string;
  /** The accessible name, if there is no visible label. */
  label?: string;
  describedBy?: string | undefined;
  /** Whether using it notifies the app immediately, rather than on submission. */
  dispatches: boolean;
  isInvalid: boolean;
};

export type ElementProps<E> = { element: E; blockId: string; control: Control };

/** The attributes for a form control's name, hint and error. */
export function controlAttributes({ id, label, describedBy, isInvalid }: Control) {
  return { id, 'aria-label': label, 'aria-describedby': describedBy, 'aria-invalid': isInvalid || undefined };
}
