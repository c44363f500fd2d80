import { Group, Progress, Stack, Text } from '@mantine/core';
import { type Logo, logoPlanFor, quietModules, smallestSafeMm, widthInModules } from '@signpost/qr';
import { designsText } from '../../strings/designs.ts';
import classes from './logo-field.module.css';

type Props = {
  readonly logo: Logo;
  readonly link: string;
  readonly isCompact: boolean | undefined;
};

const text = designsText.logo;

/** How much of the error correction the logo uses, counted codeword by codeword. */
export function LogoMeter({ logo, link, isCompact }: Props) {
  const plan = logoPlanFor(link, logo, isCompact);
  // The preview says that there is no room, and mends it.
  if (!plan) return null;
  const percent = Math.round((100 * plan.use.touched) / plan.use.correctable);
  const plain = isCompact ? { compact: true } : {};
  const withLogo = { ...plain, logo };
  const [before, after] = [plain, withLogo].map(style => widthInModules(link, style) - 2 * quietModules);
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{text.used}</Text>
        <Text size="sm" fw={500} className="figures">
          {text.share(percent)}
        </Text>
      </Group>
      <div className={classes.meter}>
        <Progress value={percent} aria-label={`${text.used}: ${text.share(percent)}`} />
        <span className={classes.limit} />
      </div>
      <Text size="xs" c="dimmed">
        {text.limit} {after! > before! && text.larger(after!, before!, smallestSafeMm(link, withLogo))}
      </Text>
    </Stack>
  );
}
