/** Faults of the form, in words. The server has the last word. */
export const codeFaults = {
  name: (value: string): string | null => (value.trim() ? null : 'Give the code a name'),
  destination_url: (value: string): string | null => destinationFault(value),
};

/** The operator may ask for more characters than the three that the API asks for. */
export const shortCodeFault =
  (least: number) =>
  (value: string): string | null =>
    value === '' || (value.length >= least && /^[A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9]$/.test(value))
      ? null
      : `${least} to 64 letters, digits, - and _, beginning and ending with a letter or digit`;

export function destinationFault(value: string): string | null {
  if (value === '') return 'Say where the code leads';
  if (!/^https?:\/\//i.test(value)) return 'Begin with https:// or http://';
  return URL.canParse(value) && !/\s/.test(value) ? null : 'This is not a complete web address';
}

/** A link as long as the real one, so that the preview has the pattern's real size before the code exists. */
export const previewLink = (shortCode: string, shortBaseUrl: string): string =>
  `${shortBaseUrl}/${shortCode || 'bcdfghjk'}`;
