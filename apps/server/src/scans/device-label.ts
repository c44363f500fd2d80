import { browserOf, deviceOf } from './device.ts';

/** What is stored of a user agent in a session: enough for people to tell their own sessions apart. */
export const deviceLabelOf = (userAgent: string) =>
  `${browserLabels[browserOf(userAgent)]} on ${deviceLabels[deviceOf(userAgent)]}`;

const browserLabels = {
  safari: 'Safari',
  chrome: 'Chrome',
  samsung_browser: 'Samsung Internet',
  firefox: 'Firefox',
  edge: 'Edge',
  other: 'Another browser',
};

const deviceLabels = {
  ios: 'an iPhone or iPad',
  android: 'Android',
  desktop: 'a computer',
  other: 'another device',
};
