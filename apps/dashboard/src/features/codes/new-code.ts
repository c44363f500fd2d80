import { shortCodeLength, shortCodePattern } from '@signpost/contract/values.ts';
import type { Style } from '@signpost/qr';
import { codesText } from '../../strings/codes.ts';
import { destinationFault as typedFault } from './destination.ts';

const { faults } = codesText.form;

/** Faults of the form, in words. The server has the last word. */
export const codeFaults = {
  name: (value: string): string | null => (value.trim() ? null : faults.name),
  destination_url: typedFault,
};

/** For addresses that are sent as they are typed: nothing is put in front of them. */
export const destinationFault = (value: string): string | null =>
  value === '' || /^https?:/i.test(value) ? typedFault(value) : faults.scheme;

const shortCode = new RegExp(shortCodePattern);

/** The operator may ask for more characters than the three that the API asks for. */
export const shortCodeFault =
  (least: number) =>
  (value: string): string | null =>
    value === '' || (value.length >= least && shortCode.test(value))
      ? null
      : faults.ending(least, shortCodeLength.max);

/** What the form of a new code starts with. */
export type NewCodeValues = {
  readonly name: string;
  readonly destination_url: string;
  /** Empty: the host of the service. */
  readonly domain: string;
  readonly short_code: string;
  readonly style: Style;
  readonly tags: readonly string[];
};

/** A link as long as the real one, so that the preview has the pattern's real size before the code exists. */
export const previewLink = (shortCode: string, shortBaseUrl: string): string =>
  `${shortBaseUrl}/${shortCode || 'bcdfghjk'}`;
