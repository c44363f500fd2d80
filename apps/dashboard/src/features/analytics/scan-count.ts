import { analyticsText } from '../../strings/analytics.ts';
import { formatNumber } from '../../ui/format.ts';

/** "1 scan", "1,200 scans". */
export const scanCount = (scans: number): string => analyticsText.scanCount(formatNumber(scans), scans === 1);
