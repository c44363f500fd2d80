import { expect, test } from 'vitest';
import { readCampaign, writeCampaign } from './campaign.ts';

const menu = 'https://example.com/menu';

test('what is written into the address is read from it again', () => {
  for (const value of ['poster', 'table 4', 'a&b=c', '50 % #1', 'été', ' ']) {
    const url = writeCampaign(`${menu}?a=1#top`, 'utm_source', value);
    expect(readCampaign(url).utm_source).toBe(value);
    expect(url.startsWith(`${menu}?a=1&utm_source=`)).toBe(true);
    expect(url.endsWith('#top')).toBe(true);
  }
});

test('a parameter is changed in its place, and taken out when it is emptied', () => {
  const url = `${menu}?utm_source=flyer&b=%C3%A9&utm_medium=qr`;
  expect(writeCampaign(url, 'utm_source', 'poster')).toBe(`${menu}?utm_source=poster&b=%C3%A9&utm_medium=qr`);
  expect(writeCampaign(url, 'utm_medium', '')).toBe(`${menu}?utm_source=flyer&b=%C3%A9`);
  expect(writeCampaign(`${menu}?utm_term=x`, 'utm_term', '')).toBe(menu);
});

test('what somebody typed into the address is read as it is meant', () => {
  expect(readCampaign(`${menu}?UTM_Source=a+b&utm_medium`)).toMatchObject({
    utm_source: 'a b',
    utm_medium: '',
  });
  expect(readCampaign(`${menu}?utm_term=100%`).utm_term).toBe('100%');
  expect(readCampaign('')).toMatchObject({ utm_source: '', utm_content: '' });
});
