import { detectBrowser, detectDevice } from './device.ts';

/** What is stored of a user agent in a session: enough for people to tell their own sessions apart. */
export const describeDevice = (userAgent: string) =>
  `${browserLabels[detectBrowser(userAgent)]} on ${deviceLabels[detectDevice(userAgent)]}`;

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
