import 'react';

// Passed to the style sheets as custom properties.
declare module 'react' {
  interface CSSProperties {
    /** The avatar's colour. */
    '--tint'?: string | undefined;
    '--folded-lines'?: number;
  }
}
