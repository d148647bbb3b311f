type Theme = 'system' | 'light' | 'dark';

const NEXT: { [theme in Theme]: Theme } = { system: 'light', light: 'dark', dark: 'system' };

/** Call before the first render to avoid a flash. */
export function applyStoredTheme(): void {
  const stored = localStorage.getItem('theme');
  if (stored) document.documentElement.dataset.theme = stored;
}

export function currentTheme(): Theme {
  const stored = document.documentElement.dataset.theme;
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function switchTheme(): Theme {
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
