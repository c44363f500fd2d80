import { Alert, List, Text } from '@mantine/core';
import type { Grade } from '@signpost/qr';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';

type Props = { readonly grade: Grade; readonly unreadable: boolean };

const titles = {
  good: 'This scans well',
  fair: 'This may be slow to scan',
  poor: 'This will often not scan',
};
const colors = { good: 'signpost', fair: 'yellow', poor: 'red' };

/** In plain words, how well this look scans and what would make it better. */
export function StyleWarning({ grade, unreadable }: Props) {
  const level = unreadable ? 'poor' : grade.level;
  return (
    <Alert
      color={colors[level]}
      variant="light"
      title={unreadable ? 'No scanner can read this' : titles[level]}
      icon={level === 'good' ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      role="status"
    >
      {grade.reasons.length === 0 ? (
        <Text size="sm">Dark on light, with clear corners.</Text>
      ) : (
        <List size="sm" spacing={4}>
          {grade.reasons.map(reason => (
            <List.Item key={reason}>{reason}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
