import { analyticsText } from '../../strings/analytics.ts';

/** "1 scan", "1,200 scans". */
export const scanCount = (scans: number): string => analyticsText.scanCount(scans);
