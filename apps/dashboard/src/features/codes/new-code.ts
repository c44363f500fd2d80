import { shortCodeLength, shortCodePattern } from '@signpost/contract/values.ts';
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

/** A link as long as the real one, so that the preview has the pattern's real size before the code exists. */
export const previewLink = (shortCode: string, shortBaseUrl: string): string =>
  `${shortBaseUrl}/${shortCode || 'bcdfghjk'}`;
