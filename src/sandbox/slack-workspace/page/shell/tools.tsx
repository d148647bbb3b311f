import { useState } from 'react';
import { Icon } from './icon.tsx';
import { currentTheme, switchTheme } from './theme.ts';

type Props = { isWireOpen: boolean; brokenCount: number; toggleWire(): void; openHelp(): void };

const THEMES = { system: ['auto', 'as the system'], light: ['light', 'light'], dark: ['dark', 'dark'] } as const;

/** The page's own switches: what went over the wire, light or dark, the keys. */
export function Tools({ isWireOpen, brokenCount, toggleWire, openHelp }: Props) {
  const [theme, setTheme] = useState(currentTheme);
  const [sign, name] = THEMES[theme];
  return (
    <div className="tools">
      <button
        type="button"
        className="button"
        aria-expanded={isWireOpen}
        onClick={toggleWire}
        title="What the workspace and the app tell each other (Ctrl+.)"
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
        aria-label={`Colours: ${name}`}
        title={`Colours: ${name}`}
        onClick={() => setTheme(switchTheme())}
      >
        <Icon name={sign} />
      </button>
      <button type="button" className="button button-icon" aria-label="Keys" title="Keys (?)" onClick={openHelp}>
        <Icon name="help" />
      </button>
    </div>
  );
}
