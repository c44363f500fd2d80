import { Center } from '@mantine/core';
import { Empty } from '../../ui/empty.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';

export function NotFound() {
  return (
    <Center mih="60vh" component="main">
      <Empty title="There is no such page">
        The address may be mistyped.{' '}
        <LinkAnchor to="/codes" underline="always">
          Go to your codes
        </LinkAnchor>
        .
      </Empty>
    </Center>
  );
}
