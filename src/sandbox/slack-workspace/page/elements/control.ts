/** How an element is placed: what names it, and whether using it tells the app at once. */
export type Control = {
  id: string;
  /** The accessible name, where no visible label names it. */
  label?: string;
  describedBy?: string | undefined;
  /** Using it tells the app at once; otherwise the value waits for the submission. */
  dispatches: boolean;
  isInvalid: boolean;
};

export type ElementProps<E> = { element: E; blockId: string; control: Control };

/** The attributes that name a form control and tie its hint and error to it. */
export function controlAttributes({ id, label, describedBy, isInvalid }: Control) {
  return { id, 'aria-label': label, 'aria-describedby': describedBy, 'aria-invalid': isInvalid || undefined };
}
