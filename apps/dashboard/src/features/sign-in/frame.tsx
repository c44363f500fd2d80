import { Box, Center, Group, Paper, Stack, Text } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { signInText } from '../../strings/sign-in.ts';
import { Mark } from '../shell/brand.tsx';
import { LanguageLinks } from './language-links.tsx';

/** The quiet page around sign-in and sign-up. */
export function SignInFrame() {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={420} gap="lg">
        <Group gap="sm" justify="center">
          <Mark size={36} />
          <Text fw={600} fz={24}>
            {signInText.product}
          </Text>
        </Group>
        <Paper withBorder p={{ base: 'lg', sm: 'xl' }} radius="lg">
          <Outlet />
        </Paper>
        <Box ta="center">
          <Text size="sm" c="dimmed">
            {signInText.promise}
          </Text>
        </Box>
        <LanguageLinks />
      </Stack>
    </Center>
  );
}
