import { expect, test } from 'vitest';
import { emailFault, nameFault, passwordFault } from './rules.ts';

test('an address needs a name, an at and a host', () => {
  expect(emailFault('ada@example.com')).toBeNull();
  for (const bad of ['', 'ada', 'ada@', '@example.com', 'ada@host', 'a b@example.com'])
    expect(emailFault(bad)).toContain('name@example.com');
});

test('a password has at least ten characters', () => {
  expect(passwordFault('123456789')).toContain('10');
  expect(passwordFault('1234567890')).toBeNull();
});

test('a name is more than white space', () => {
  expect(nameFault('  ')).not.toBeNull();
  expect(nameFault('Ada')).toBeNull();
});
