import { Alert, Button, Stack, Text } from '@mantine/core';
import { type Logo, type LogoSize, largestLogo } from '@signpost/qr';
import { IconAlertTriangle } from '@tabler/icons-react';
import { designsText } from '../../strings/designs.ts';

type Props = {
  readonly logo: Logo;
  readonly link: string;
  readonly isCompact: boolean | undefined;
  readonly onShrink?: (size: LogoSize) => void;
};

const text = designsText.logo;

/** That a link is too long for its logo, and a click that mends it where a smaller one fits. */
export function NoRoom({ logo, link, isCompact, onShrink }: Props) {
  const largest = largestLogo(link, logo, isCompact);
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={text.noRoom} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{largest ? text.tooLarge : text.tooLong}</Text>
        {largest && onShrink && (
          <Button size="compact-sm" variant="default" onClick={() => onShrink(largest)}>
            {text.shrink}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
