import 'react';

// The avatar's colour, passed to the style sheet as a custom property.
declare module 'react' {
  interface CSSProperties {
    '--tint'?: string | undefined;
  }
}
