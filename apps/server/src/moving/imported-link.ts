/** A link as another service has it, as far as it can be one of ours. */
export type ImportedLink = {
  /** Where it stands in the file, counted from 1. */
  readonly row: number;
  readonly shortCode: string;
  /** The host of the short link; empty where the file does not say. */
  readonly host: string;
  readonly destinationUrl: string;
  readonly name: string;
  /** What the other service does with it and we do not. */
  readonly notes: readonly string[];
  /** Why it must not be taken over as it is. */
  readonly refusal?: string;
};
