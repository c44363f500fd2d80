import { codesText } from '../../strings/codes.ts';

const { faults } = codesText.form;

/** People type `example.com/menu`; what has a scheme of its own is left alone, also one that is refused later. */
export function withScheme(typed: string): string {
  const value = typed.trim();
  // A colon before digits ends a host and not a scheme: `localhost:8080`.
  return value === '' || /^[a-z][a-z\d+.-]*:(?!\d)/i.test(value) || value.startsWith('/')
    ? value
    : `https://${value}`;
}

export function destinationFault(typed: string): string | null {
  const value = withScheme(typed);
  if (value === '') return faults.destination;
  if (!/^https?:/i.test(value)) return faults.scheme;
  const isWhole = /^https?:\/\/[^/?#\s]/i.test(value) && URL.canParse(value) && !/\s/.test(value);
  return isWhole ? null : faults.address;
}
