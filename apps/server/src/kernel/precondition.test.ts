import { expect, test } from 'vitest';
import { isMet, parsePrecondition, toEtag } from './precondition.ts';

const isMetBy = (ifMatch: string, revision: number | null) =>
  isMet(parsePrecondition({ 'if-match': ifMatch }), revision);

test.each(['7', '"7"', ' "7" ', '"6", "7"', '"6","7"', 'W/"6", "7"', '"7", ,', '*'])(
  'If-Match: %s is met by revision 7, and not by what does not exist',
  header => {
    expect(isMetBy(header, 7)).toBe(true);
    expect(isMetBy(header, null)).toBe(false);
  },
);

test.each(['6', '"6"', '"6", "8"', 'W/"7"', 'W/"7", "8"', 'W/"x"', '"07"', '"70"', '"77777777777777777777"'])(
  'If-Match: %s is not met by revision 7',
  header => {
    expect(isMetBy(header, 7)).toBe(false);
  },
);

test.each(['', ' ', ',', '"7', '7"', '"x"', 'x', '7, 8', '"7" "8"', '*, "7"', 'W/7', '-7', '"7.0"', "'7'"])(
  'If-Match: %j is refused',
  header => {
    expect(() => parsePrecondition({ 'if-match': header })).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { param: 'If-Match' } }),
    );
  },
);

test('If-None-Match: * is met by what does not exist; any other has no meaning', () => {
  const one = (header: string) => parsePrecondition({ 'if-none-match': header });
  expect([isMet(one('*'), null), isMet(one('*'), 0)]).toEqual([true, false]);
  expect([one('"7"'), one('x')]).toEqual([{}, {}]);
});

test('without a header, every state will do', () => {
  expect([isMet(parsePrecondition({}), 7), isMet(parsePrecondition({}), null)]).toEqual([true, true]);
});

test('the ETag of a revision is met by it', () => {
  expect(isMetBy(toEtag(12), 12)).toBe(true);
});
