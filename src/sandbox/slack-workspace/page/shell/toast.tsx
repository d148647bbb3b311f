import { Icon } from './icon.tsx';

/** A problem that has no place of its own. The region is always there, so that screen readers notice its text. */
export function Toast({ text, dismiss }: { text: string | undefined; dismiss(): void }) {
  return (
    <div className="toasts" role="alert">
      {text !== undefined && (
        <p className="toast">
          {text}
          <button type="button" className="button button-icon" aria-label="Dismiss" onClick={dismiss}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
