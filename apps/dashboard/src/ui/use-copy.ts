import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { commonText } from '../strings/common.ts';
import { copyText } from './clipboard.ts';

/** How long it is said that something was copied. */
const saidMs = 2_000;

/** Copies a text, and says so or that it did not work. */
export function useCopy(onCopied?: () => void): {
  readonly isCopied: boolean;
  readonly copy: (text: string) => Promise<void>;
} {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), saidMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return {
    isCopied,
    async copy(text) {
      if (await copyText(text)) {
        setIsCopied(true);
        onCopied?.();
        return;
      }
      notifications.show({
        color: 'red',
        title: commonText.copy.failedTitle,
        message: commonText.copy.failed,
        autoClose: 12_000,
      });
    },
  };
}
