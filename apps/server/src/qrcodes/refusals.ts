import type { ErrorItem } from '@signpost/contract';
import { type Style, unscannableField } from '@signpost/qr';
import { AppError } from '../kernel/errors.ts';

/** Runs every check, and throws what they threw as one refusal: the first of them, with all in `errors`. */
export function checkAll(checks: readonly (() => void)[]): void {
  const refusals = checks.flatMap(refusalsOf);
  const [first] = refusals;
  if (!first) return;
  if (refusals.length === 1) throw first;
  throw new AppError(first.code, first.message, { ...first.details, errors: refusals.flatMap(itemsOf) });
}

function refusalsOf(check: () => void): AppError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof AppError) return [error];
    throw error;
  }
}

/** The field that is named was sent: nobody can mend one that was not. */
export function refuseUnscannable(style: Style): void {
  const field = unscannableField(style);
  if (field === null) return;
  const near =
    field === 'backgroundColor'
      ? 'the dots, which are #000000 unless dotsColor says otherwise'
      : style.backgroundColor === undefined
        ? 'the background, which is #FFFFFF unless backgroundColor says otherwise'
        : 'the background';
  throw new AppError(
    'unscannable_style',
    `style.${field} is too close to ${near}: no scanner could read the code. Choose colours further apart.`,
    { param: `style.${field}` },
  );
}

/** No more than this are told: above it, of each bad item only the first. */
const mostItems = 500;

/** With `atomic`, the answer to the whole call: it tells of the first bad item, and `errors` of every one. */
export function nothingMade(refusals: readonly (AppError | undefined)[]): AppError {
  const bad = refusals.flatMap((refusal, index) => (refusal ? [{ refusal, index }] : []));
  const all = bad.flatMap(({ refusal, index }) => itemsOf(refusal).map(item => within(index, item)));
  const firsts = bad.map(({ refusal, index }) => within(index, itemsOf(refusal)[0]!));
  const { refusal, index } = bad[0]!;
  const { param } = firsts[0]!;
  const others =
    bad.length > 1 ? ` ${bad.length} of ${refusals.length} items are invalid; errors names each.` : '';
  return new AppError('invalid_request', `Nothing was made. Item ${index}: ${refusal.message}${others}`, {
    ...(param === undefined ? {} : { param }),
    errors: all.length > mostItems ? firsts : all,
    cause: refusal,
  });
}

const itemsOf = ({ code, message, details }: AppError): readonly ErrorItem[] =>
  details.errors ?? [{ code, message, ...(details.param === undefined ? {} : { param: details.param }) }];

const within = (index: number, { code, message, param }: ErrorItem): ErrorItem => ({
  index,
  code,
  message,
  param: param === undefined ? `items.${index}` : `items.${index}.${param}`,
});
