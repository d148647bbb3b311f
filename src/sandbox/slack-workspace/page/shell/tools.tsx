import { useState } from 'react';
import { Icon } from './icon.tsx';

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

type Theme = 'system' | 'light' | 'dark';

const NEXT: { [theme in Theme]: Theme } = { system: 'light', light: 'dark', dark: 'system' };

/** Call before the first render to avoid a flash. */
export function applyStoredTheme(): void {
  const stored = localStorage.getItem('theme');
  if (stored) document.documentElement.dataset.theme = stored;
}

function currentTheme(): Theme {
  const stored = document.documentElement.dataset.theme;
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function switchTheme(): Theme {
  const theme = NEXT[currentTheme()];
  if (theme === 'system') {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem('theme');
  } else {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem('theme', theme);
  }
  return theme;
}
