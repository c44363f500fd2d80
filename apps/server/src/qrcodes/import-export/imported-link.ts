import type { ForeignRules } from './foreign-rules.ts';

/** A link of another service, with the fields that we can import. */
export type ImportedLink = {
  /** Its record in the file, counted from 1. */
  readonly row: number;
  readonly shortCode: string;
  /** The host of the short link; empty if the file does not contain it. */
  readonly host: string;
  /** The domain that its code is created on; without one, the host of the service. */
  readonly domain?: string;
  readonly destinationUrl: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** Its rules and schedule. */
  readonly routing: ForeignRules['routing'];
  /** Features of the other service that we do not support. */
  readonly notes: readonly string[];
  /** Why it must not be imported. */
  readonly refusal?: string;
};
