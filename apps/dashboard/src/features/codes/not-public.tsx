import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { codesText } from '../../strings/codes.ts';
import { addressFault } from './public-address.ts';

const text = codesText.address;

/** A warning before something is printed that phones cannot open; nothing where they can. */
export function NotPublic({ url }: { readonly url: string }) {
  const fault = addressFault(url);
  if (fault === null) return null;
  const base = URL.canParse(url) ? new URL(url).origin : url;
  return (
    <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />} title={text[fault]}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {fault === 'private' ? text.privateHint(base) : text.insecureHint(base)}
      </Text>
    </Alert>
  );
}
