import { destinationPattern, maxDestinationLength } from '@signpost/contract';
import { AppError } from '../../kernel/errors.ts';
import { checkDestination, type OwnAddressCheck } from '../targets/destination.ts';

/** A text in destinations, and what takes its place. */
export type DestinationReplace = { readonly find: string; readonly replace: string };

const form = new RegExp(destinationPattern, 'u');

/** The destination with the text replaced wherever it occurs; undefined where it does not. */
export function replaceIn(
  destination: string,
  { find, replace }: DestinationReplace,
  ownAddresses: OwnAddressCheck,
): string | undefined {
  const parts = destination.split(find);
  if (parts.length === 1) return undefined;
  const length = destination.length + (parts.length - 1) * (replace.length - find.length);
  // Before it is put together: one letter may be replaced by hundreds, thousands of times.
  if (length > maxDestinationLength) throw refuse('The destination would be longer than 4,096 characters.');
  const replaced = parts.join(replace);
  if (!form.test(replaced)) throw refuse('The destination would not be a valid http or https URL.');
  checkDestination(replaced, ownAddresses);
  return replaced;
}

const refuse = (message: string) =>
  new AppError('invalid_url', message, { param: 'set.destination_replace' });
