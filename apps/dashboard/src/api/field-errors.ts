import { ApiError } from './api-error.ts';

/** What the server refused, by field of the form: each message without the name that the API has for the field. */
export function fieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  if (!(error instanceof ApiError)) return {};
  const found = error.errors.filter(one => (fields as readonly (string | undefined)[]).includes(one.param));
  return Object.fromEntries(found.map(one => [one.param, wordsOf(one)])) as Partial<Record<Field, string>>;
}

function wordsOf({ param, message }: { readonly param?: string; readonly message: string }): string {
  if (!message.startsWith(`${param} `)) return message;
  const rest = message.slice(param!.length + 1);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
