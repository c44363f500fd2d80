import type { shareSections } from '@signpost/contract/values.ts';
import type { Mode } from '../../api/mode.ts';
import type { Period } from '../analytics/periods.ts';

export type Section = (typeof shareSections)[number];

/** Whose figures are shared: those of a code, of a tag, or of the account where both are null. */
export type ShareSubject = {
  readonly mode: Mode;
  readonly codeId: string | null;
  readonly tag: string | null;
  readonly name: string;
  /** What its figures have, in their order. */
  readonly sections: readonly Section[];
  /** What the page of analytics shows. */
  readonly period: Period;
};
