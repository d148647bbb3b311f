import { Icon } from './icon.tsx';

/** Problems without a place of their own. Always rendered, so that screen readers notice new text. */
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
