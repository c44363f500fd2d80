import { expect, test } from 'vitest';
import { securityTxt } from './security-txt.ts';

const urls = { publicUrl: 'https://api.example', linkNames: { base: 'https://sign.example/go' } };
const now = new Date('2026-11-16T12:34:56.789Z');

test('security.txt says whom to write to, until when, and where it is found', () => {
  const { status, headers, body } = securityTxt({ ...urls, contact: 'abuse@sign.example' }, now);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(body.split('\n')).toEqual([
    '# A short link that leads to something harmful: https://api.example/report',
    'Contact: mailto:abuse@sign.example',
    'Expires: 2027-02-14T00:00:00Z',
    'Preferred-Languages: en',
    'Canonical: https://api.example/.well-known/security.txt',
    'Canonical: https://sign.example/.well-known/security.txt',
    '',
  ]);
});

test('a page as the contact stands as it is, and an address without https is no canonical one', () => {
  const local = { publicUrl: 'http://localhost:8080', linkNames: { base: 'http://localhost:8080' } };
  const { body } = securityTxt({ ...local, contact: 'https://sign.example/contact' }, now);
  expect(body).toContain('\nContact: https://sign.example/contact\n');
  expect(body).not.toContain('Canonical');
});

test('without a contact there is no security.txt', () => {
  expect(securityTxt({ ...urls, contact: '' }, now).status).toBe(404);
});
