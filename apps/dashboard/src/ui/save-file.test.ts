import { expect, test } from 'vitest';
import { fileName } from './save-file.ts';

test('the name of a file is plain letters, whatever the code is called', () => {
  expect(fileName('Spring menu / café', 'png')).toBe('spring-menu-cafe.png');
  expect(fileName('春', 'svg')).toBe('code.svg');
});
