/** The brand on every page that the server writes; the dashboard has the same mark, colours and type. */

/** One arm that points, one that can be turned. */
export const mark =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0c6673"/><path d="M15 6h2v20h-2z" fill="#fff"/><path d="M9 8h13l4 3.5-4 3.5H9z" fill="#fff"/><path d="M23 17H12l-4 3 4 3h11z" fill="#fff" fill-opacity=".62"/></svg>';

export const fonts = {
  sans: 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Helvetica,Arial,sans-serif',
  mono: 'ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace',
} as const;

/** `accent` carries `onAccent`; `link` is the accent as text. */
const colours = {
  light: {
    ink: '#14191d',
    soft: '#556370',
    paper: '#fff',
    raised: '#f6f8f9',
    line: '#dee2e6',
    edge: '#7c8894',
    accent: '#0c6673',
    onAccent: '#fff',
    link: '#0c6673',
    accentSoft: '#e9f6f7',
    wrong: '#b3261e',
  },
  dark: {
    ink: '#dde3e8',
    soft: '#9aa7b2',
    paper: '#161c21',
    raised: '#1c242a',
    line: '#333d46',
    edge: '#6b7884',
    accent: '#137a88',
    onAccent: '#fff',
    link: '#74bec7',
    accentSoft: '#17333a',
    wrong: '#ff9d94',
  },
} as const;

/** The colours as custom properties, light and dark: `--ink`, `--on-accent`. */
export const colourProperties = `:root{color-scheme:light dark;${formatProperties('light')}}
@media(prefers-color-scheme:dark){:root{${formatProperties('dark')}}}`;

/** Paper is white, whatever the screen shows. */
export const printProperties = `@media print{:root{color-scheme:light;${formatProperties('light')}}}`;

/** The colours of a picture that is looked at elsewhere. */
export const lightColours = colours.light;

function formatProperties(scheme: keyof typeof colours): string {
  return Object.entries(colours[scheme])
    .map(([name, value]) => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}:${value}`)
    .join(';');
}
