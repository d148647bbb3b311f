import 'react';

// The avatar's colour is handed to the style sheet as a custom property.
declare module 'react' {
  interface CSSProperties {
    '--tint'?: string | undefined;
  }
}
