import type { ErrorItem } from '@signpost/contract';
import { type Style, unscannableField } from '@signpost/qr';
import { AppError } from '../kernel/errors.ts';
import { isMet, type Precondition } from '../kernel/precondition.ts';

/** Runs every check, and throws their refusals as one: the first, with all of them in `errors`. */
export function checkAll(checks: readonly (() => void)[]): void {
  const refusals = checks.flatMap(collectRefusals);
  const [first] = refusals;
  if (!first) return;
  if (refusals.length === 1) throw first;
  throw new AppError(first.code, first.message, { ...first.details, errors: refusals.flatMap(toErrorItems) });
}

function collectRefusals(check: () => void): AppError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof AppError) return [error];
    throw error;
  }
}

/** Names a field that the caller sent, since only such a field can be corrected. */
export function refuseUnscannable(style: Style): void {
  const field = unscannableField(style);
  if (field === null) return;
  const similar =
    field === 'backgroundColor'
      ? `The background is too similar to the dots${style.dotsColor === undefined ? ', which are black unless you choose a colour' : ''}.`
      : `${parts[field]} are too similar to the background${style.backgroundColor === undefined ? ', which is white unless you choose a colour' : ''}.`;
  throw new AppError(
    'unscannable_style',
    `${similar} No scanner could read the code. Choose colours with more contrast.`,
    { param: `style.${field}` },
  );
}

const parts: Readonly<
  Record<Exclude<NonNullable<ReturnType<typeof unscannableField>>, 'backgroundColor'>, string>
> = {
  dotsColor: 'The dots',
  cornersSquareColor: 'The corner frames',
  cornersDotColor: 'The corner dots',
  dotsGradient: 'Parts of the gradient',
};

/** Above this many errors only the first of each invalid item is listed. */
const maxErrors = 500;

/** With `atomic`, the refusal of the whole call: its message names the first invalid item, and `errors` all of them. */
export function bulkRefusal(refusals: readonly (AppError | undefined)[]): AppError {
  const invalid = refusals.flatMap((refusal, index) => (refusal ? [{ refusal, index }] : []));
  const all = invalid.flatMap(({ refusal, index }) => toErrorItems(refusal).map(item => within(index, item)));
  const firsts = invalid.map(({ refusal, index }) => within(index, toErrorItems(refusal)[0]!));
  const { refusal, index } = invalid[0]!;
  const { param } = firsts[0]!;
  const others =
    invalid.length > 1
      ? ` ${invalid.length} of ${refusals.length} items are invalid; errors names each.`
      : '';
  return new AppError('invalid_request', `Nothing was created. Item ${index}: ${refusal.message}${others}`, {
    ...(param === undefined ? {} : { param }),
    errors: all.length > maxErrors ? firsts : all,
    cause: refusal,
  });
}

const toErrorItems = ({ code, message, details }: AppError): readonly ErrorItem[] =>
  details.errors ?? [
    {
      code,
      message,
      ...(details.param === undefined ? {} : { param: details.param }),
      ...(details.reclaimable ? { reclaimable: true } : {}),
    },
  ];

const within = (index: number, { param, ...item }: ErrorItem): ErrorItem => ({
  index,
  ...item,
  param: param === undefined ? `items.${index}` : `items.${index}.${param}`,
});

/** Refuses to change a code, or to create one where there is none, that is not in the state that the caller requires. */
export function refuseUnmet(required: Precondition, code: { readonly revision: number } | null): void {
  const revision = code?.revision ?? null;
  if (isMet(required, revision)) return;
  throw new AppError('precondition_failed', unmetMessage(required, revision));
}

function unmetMessage({ ifMatch, ifNoneMatch }: Precondition, revision: number | null): string {
  if (revision === null) return 'If-Match asks for a code that exists, and none has this external id.';
  if (ifNoneMatch) return 'If-None-Match: * asks for a new code, and one has this external id already.';
  const named = typeof ifMatch === 'object' && ifMatch.length > 0 ? ifMatch.join(', ') : 'no revision';
  return `The code was edited since: its revision is ${revision}, and If-Match names ${named}. Read it again, then repeat your change.`;
}

export const unknownCode = () => new AppError('not_found', 'No QR code has this id.');

export function refuseUnknown(): never {
  throw unknownCode();
}
