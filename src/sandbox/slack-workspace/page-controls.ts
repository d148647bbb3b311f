import type { ControlBar, Notice } from './people-api.ts';

/** A button in the bar above the page, for what a visitor can try around the workspace, such as stopping its app. */
export type PageControl = {
  readonly id: string;
  readonly label: string;
  /** Resolves to one sentence that says what happened; every page shows it. The button is busy until then. */
  press(): Promise<string>;
};

/** The buttons above every page, and the lines that say what happened. */
export type PageControls = {
  bar(): ControlBar;
  /** Presses a button, unless it is busy. Undefined if there is no such button; never rejects. */
  press(id: string): Promise<void> | undefined;
  /** Shows a line with its time on every page. */
  announce(text: string): void;
  onChange(listener: () => void): () => void;
};

/** The number of lines that can be read again. */
const MOST_NOTICES = 20;

export function createPageControls(controls: readonly PageControl[], now: () => number): PageControls {
  const listeners = new Set<() => void>();
  const busy = new Set<string>();
  let notices: Notice[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const announce = (text: string) => {
    const seq = (notices.at(-1)?.seq ?? 0) + 1;
    notices = [...notices, { seq, at: now(), text }].slice(-MOST_NOTICES);
    changed();
  };
  const press = async (control: PageControl) => {
    if (busy.has(control.id)) return;
    busy.add(control.id);
    changed();
    const text = await control.press().catch((fault: unknown) => failure(control, fault));
    busy.delete(control.id);
    announce(text);
  };
  return {
    bar: () => ({
      controls: controls.map(({ id, label }) => ({ id, label, isBusy: busy.has(id) })),
      notices,
    }),
    press(id) {
      const control = controls.find((one) => one.id === id);
      return control && press(control);
    },
    announce,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function failure({ label }: PageControl, fault: unknown): string {
  return `“${label}” failed: ${fault instanceof Error ? fault.message : String(fault)}`;
}
