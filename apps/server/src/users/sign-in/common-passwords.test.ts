import { describe, expect, test } from 'vitest';
import { isCommonPassword, refuseCommonPassword } from './common-passwords.ts';
import { commonPasswords, commonWords } from './common-words.ts';

const about = { email: 'ada.lovelace@analytical.example', name: 'Ada Byron' };

describe('passwords that are guessed first', () => {
  test.each([
    '1234567890',
    '0987654321',
    '12345678901234567890',
    'qwertyuiop',
    'QWERTYUIOP',
    'poiuytrewq',
    'asdfghjkl1',
    '1qaz2wsx3edc',
    'zxcvbnm,./1',
    'abcdefghij',
    'aaaaaaaaaa',
    '1212121212',
    'abcabcabcabc',
    'passwordpassword',
    'password123',
    'Password2026!',
    'P4ssw0rd!!',
    'p@$$w0rd2024',
    'iloveyou123',
    'Welcome2025!',
    'Summer2026!!',
    '123football',
    'qwerty123456',
    'superman-batman',
    'letmein1234',
    'correcthorsebatterystaple',
    '2026-11-15',
    '+49 170 1234567',
    '1111222233334444',
    '48151623424815162342',
    'signpost123',
    'signpost-admin',
    'ada.lovelace@analytical.example',
    'ada.lovelace',
    'Lovelace1815',
    'analytical1',
  ])('%s', password => {
    expect(isCommonPassword(password, about)).toBe(true);
  });

  test('are refused with what to do instead, under the name of the field', () => {
    expect(() => refuseCommonPassword('1234567890', about, 'new_password')).toThrow(
      expect.objectContaining({ message: expect.stringContaining('four random words') }),
    );
  });

  test('are known in hundreds, without a single short entry among the whole ones', () => {
    expect(commonWords.size).toBeGreaterThan(600);
    expect(commonPasswords.size).toBeGreaterThan(120);
  });
});

test.each([
  'correct horse battery',
  'a whole new password',
  'another good one',
  'yet another password',
  'ridge lantern oboe sail',
  'Tz8#qLw2!vRk',
  'meine Oma mag Kürbis',
  'x7Kp-93ba-QmZ1',
  'lovelace walks to the pier',
  '8302 5719 4460 2738',
  '594837261059283746150293847561',
  '我喜欢在雨中散步听音乐',
])('a password that is not common is taken: %s', password => {
  expect(isCommonPassword(password, about)).toBe(false);
});
