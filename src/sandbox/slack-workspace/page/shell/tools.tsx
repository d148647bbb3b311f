import { useState } from 'react';
import { Icon } from './icon.tsx';
import { currentTheme, switchTheme } from './theme.ts';

type Props = { isWireOpen: boolean; brokenCount: number; toggleWire(): void; openHelp(): void };

const THEMES = { system: ['auto', 'system'], light: ['light', 'light'], dark: ['dark', 'dark'] } as const;

/** Buttons of the page itself: wire drawer, theme, keyboard shortcuts. */
export function Tools({ isWireOpen, brokenCount, toggleWire, openHelp }: Props) {
  const [theme, setTheme] = useState(currentTheme);
  const [icon, name] = THEMES[theme];
  return (
    <div className="tools">
      <button
        type="button"
        className="button"
        aria-expanded={isWireOpen}
        onClick={toggleWire}
        title="Requests between the app and the workspace (Ctrl+.)"
      >
        <Icon name="wire" /> Wire
        {brokenCount > 0 && (
          <span className="badge" title={`${brokenCount} failed or broke a rule`}>
            {brokenCount}
            <span className="visually-hidden"> failed or broke a rule</span>
          </span>
        )}
      </button>
      <button
        type="button"
        className="button button-icon"
        aria-label={`Theme: ${name}`}
        title={`Theme: ${name}`}
        onClick={() => setTheme(switchTheme())}
      >
        <Icon name={icon} />
      </button>
      <button
        type="button"
        className="button button-icon"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={openHelp}
      >
        <Icon name="help" />
      </button>
    </div>
  );
}
