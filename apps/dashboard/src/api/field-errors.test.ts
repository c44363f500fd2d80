import { expect, test } from 'vitest';
import { errorOf } from './api-error.ts';
import { fieldErrors } from './field-errors.ts';

const fields = ['name', 'destination_url', 'short_code'] as const;

test('every field that the server refused has its message, without the API’s name for it', () => {
  const errors = [
    { code: 'invalid_request', message: 'name must be 1 to 255 characters.', param: 'name' },
    { code: 'invalid_url', message: 'destination_url must be a URL.', param: 'destination_url' },
    { code: 'unscannable_style', message: 'Too close.', param: 'style.dotsColor' },
  ];
  const error = errorOf(400, { error: { ...errors[0], errors } }, new Headers());
  expect(fieldErrors(error, fields)).toEqual({
    name: 'Must be 1 to 255 characters.',
    destination_url: 'Must be a URL.',
  });
});

test('an error of one field is shown there too, one of none nowhere', () => {
  const taken = { code: 'short_code_taken', message: 'menu is in use.', param: 'short_code' };
  expect(fieldErrors(errorOf(409, { error: taken }, new Headers()), fields)).toEqual({
    short_code: 'menu is in use.',
  });
  expect(
    fieldErrors(errorOf(503, { error: { code: 'unavailable', message: 'x' } }, new Headers()), fields),
  ).toEqual({});
  expect(
    fieldErrors(errorOf(400, { error: { code: 'x', message: 'x', errors: 'junk' } }, new Headers()), fields),
  ).toEqual({});
  expect(fieldErrors(new Error('x'), fields)).toEqual({});
});
