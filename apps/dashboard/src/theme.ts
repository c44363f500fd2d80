import {
  Alert,
  Badge,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  type MantineColorsTuple,
  Menu,
  Modal,
  Notification,
} from '@mantine/core';
import { commonText } from './strings/common.ts';

/** The one accent: a deep teal that carries white text (5.9 to 1) and stays apart from the amber of test mode. */
const teal: MantineColorsTuple = [
  '#e9f6f7',
  '#d3eaed',
  '#a6d5da',
  '#74bec7',
  '#47a6b2',
  '#21909d',
  '#137a88',
  '#0c6673',
  '#09525d',
  '#063f48',
];

/** Cooler than Mantine's greys, so that the accent looks at home in the dark. */
const dark: MantineColorsTuple = [
  '#dde3e8',
  '#b8c2cb',
  '#96a3ae',
  '#6b7884',
  '#424d57',
  '#333d46',
  '#222a31',
  '#161c21',
  '#10151a',
  '#0a0e11',
];

const plain = { color: 'var(--mantine-color-text)' };
const close = { 'aria-label': commonText.close };

export const theme = createTheme({
  primaryColor: 'signpost',
  primaryShade: { light: 7, dark: 6 },
  colors: { signpost: teal, dark },
  defaultRadius: 'md',
  fontFamily:
    'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Helvetica, Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  // One page has one title and one number at 600; names have 500.
  fontWeights: { regular: '400', medium: '500', bold: '500' },
  headings: {
    fontWeight: '500',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3', fontWeight: '600' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Coloured words on a tint of the same colour are hard to read; the tint and the icon say enough.
    Alert: Alert.extend({ styles: { label: plain } }),
    Badge: Badge.extend({ styles: { label: plain } }),
    // Buttons with nothing but a cross need a name.
    // The sliders of every colour picker, to which a colour field passes no names.
    ColorPicker: { defaultProps: commonText.colorPicker },
    Modal: Modal.extend({ defaultProps: { closeButtonProps: close, centered: true } }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: close } }),
    // Its placeholder for the focus would be a child of the menu that no menu may have.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // What went wrong is in the words below the title.
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: close },
      styles: { description: plain },
    }),
  },
});

/** Where Mantine's own values are hard to read on these grounds. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#556370',
    '--mantine-color-placeholder': '#69757f',
    '--mantine-color-error': '#b42318',
  },
  dark: {
    '--mantine-color-dimmed': '#9aa7b2',
    '--mantine-color-placeholder': '#8b98a3',
    '--mantine-color-error': '#ff9a8f',
    // By default the tint of the accent is darker than the page, and what is chosen would look like a hole.
    '--mantine-color-signpost-light': 'rgba(71, 166, 178, 0.18)',
    '--mantine-color-signpost-light-hover': 'rgba(71, 166, 178, 0.26)',
    '--mantine-color-signpost-light-color': '#a6d5da',
  },
});
