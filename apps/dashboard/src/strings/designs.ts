import { fill } from './fill.ts';

/** Every text about how codes look: the editor of a design, logos, saved designs and frames. */
export const designsText = {
  title: 'Designs',
  new: 'New design',

  style: {
    dots: 'Dots',
    corners: 'Corner squares',
    centres: 'Corner centres',
    fill: 'Dot fill',
    fills: { plain: 'One colour', gradient: 'Gradient' },
    colors: {
      dotsColor: 'Dot colour',
      backgroundColor: 'Background colour',
      cornersSquareColor: 'Corner square colour',
      cornersDotColor: 'Corner centre colour',
    },
    pick: (what: string) => fill('{what}: pick from the screen', { what }),
    shapes: {
      square: 'Square',
      dots: 'Dots',
      dot: 'Round',
      rounded: 'Rounded',
      'extra-rounded': 'Extra round',
      classy: 'Classy',
      'classy-rounded': 'Classy round',
    } as Readonly<Record<string, string>>,
    levels: {
      good: 'Scans well',
      fair: 'May be slow to scan',
      poor: 'Will often fail to scan',
      unreadable: 'No scanner can read this',
    },
    good: 'Dark on light, with clear corners.',
    fix: 'Fix it',
    close: {
      dotsColor: 'Dots and background are too similar. Choose a darker dot colour.',
      dotsGradient: 'Dots and background are too similar. Choose a darker gradient.',
      cornersSquareColor:
        'Corner squares and background are too similar. Choose a darker corner square colour.',
      cornersDotColor: 'Corner centres and background are too similar. Choose a darker corner centre colour.',
    },
    light: {
      dotsColor: 'Dots are a little light for the background. Choose a darker dot colour.',
      dotsGradient: 'Dots are a little light for the background. Choose a darker gradient.',
      cornersSquareColor:
        'Corner squares are a little light for the background. Choose a darker corner square colour.',
      cornersDotColor:
        'Corner centres are a little light for the background. Choose a darker corner centre colour.',
    },
    inverted: {
      dotsColor: 'Dots are lighter than the background. Many scanners only read dark on light.',
      dotsGradient: 'Dots are lighter than the background. Many scanners only read dark on light.',
      cornersSquareColor:
        'Corner squares are lighter than the background. Many scanners only read dark on light.',
      cornersDotColor:
        'Corner centres are lighter than the background. Many scanners only read dark on light.',
    },
    squareCentre: 'A square centre in a round corner rarely scans. Choose a round centre.',
    roundedAmongDots: 'Rounded corners between separate dots are harder to read at an angle.',
    roundCorner: 'Round corners are harder to find at an angle. Square or extra round corners scan better.',
  },

  gradient: {
    type: 'Gradient shape',
    types: { linear: 'Linear', radial: 'Radial' },
    direction: 'Direction',
    degrees: (value: number) => fill('{value}°', { value }),
    stops: 'Gradient colours',
    color: (number: number) => fill('Colour {number}', { number }),
    position: (number: number) => fill('Position of colour {number}', { number }),
    add: 'Add colour',
    remove: (number: number) => fill('Remove colour {number}', { number }),
    preview: 'The gradient from its first to its last colour',
  },

  logo: {
    title: 'Logo',
    drop: 'Drop your logo here',
    choose: 'Choose a file',
    formats: 'PNG, JPEG, WebP or SVG.',
    replace: 'Replace',
    remove: 'Remove',
    reading: 'Preparing your logo…',
    yours: 'Or use a logo you added',
    use: (number: number) => fill('Use logo {number}', { number }),
    current: 'Your logo',
    size: 'Logo size',
    sizes: { small: 'Small', medium: 'Medium', large: 'Large' },
    shape: 'Logo shape',
    shapes: { square: 'As it is', circle: 'Round' },
    margin: 'Space around the logo',
    noMargin: 'None',
    margins: (count: number) => fill({ one: '{count} dot', other: '{count} dots' }, { count }),
    used: 'Error correction used by the logo',
    share: (percent: number) => fill('{percent} %', { percent }),
    limit:
      'Scanners can recover the part that a logo covers. Logos use at most half of that reserve, so the code still scans when it is dirty or scratched.',
    larger: (modules: number, before: number, mm: number) =>
      fill(
        'To make room, the code has {modules} × {modules} dots instead of {before} × {before}. Print it at least {mm} mm wide.',
        { modules, before, mm },
      ),
    noRoom: 'No room for the logo',
    tooLarge: 'This short link is too long for a logo of this size.',
    tooLong: 'This short link is too long for any logo. Choose a shorter link ending, or remove the logo.',
    shrink: 'Shrink to the largest size that scans',
    asPicture:
      'Parts of this SVG, such as text or effects, can’t be kept as shapes. Print files will contain it as a picture.',
    refused: {
      kind: 'Choose a PNG, JPEG, WebP or SVG file.',
      large: 'This file is larger than 10 MB. Choose a smaller one.',
      unreadable: 'Your browser could not read this file. It may be damaged.',
      detailed: 'This picture has too much detail for a logo. Choose a simpler one.',
    },
    failed: 'The logo was not saved',
  },

  chips: {
    label: 'Start from a design',
    plain: 'Plain',
    save: 'Save as design',
    manage: 'All designs',
  },

  save: {
    title: 'Save as design',
    name: 'Name',
    namePlaceholder: 'Spring campaign',
    noName: 'Enter a name',
    longName: 'Use at most 100 characters',
    isDefault: 'Start every new code with this design',
    submit: 'Save design',
    done: (name: string) => fill('Design “{name}” saved.', { name }),
    failed: 'The design was not saved',
  },

  list: {
    label: 'Your designs',
    default: 'Default',
    imageOf: (name: string) => fill('A code in the design {name}', { name }),
    emptyTitle: 'No designs yet',
    emptyText: 'Save your colours, shapes and logo once, then use them for every new code and download.',
    more: (name: string) => fill('More actions for {name}', { name }),
    edit: 'Edit',
    makeDefault: 'Make default',
    clearDefault: 'Remove as default',
    duplicate: 'Duplicate',
    delete: 'Delete',
    deleteTitle: (name: string) => fill('Delete the design “{name}”?', { name }),
    deleteText: 'Codes made with it stay as they are.',
    deleteConfirm: 'Delete design',
    deleted: (name: string) => fill('Design “{name}” deleted.', { name }),
    notDeleted: 'The design was not deleted',
    madeDefault: (name: string) => fill('New codes start with “{name}”.', { name }),
    noDefault: 'New codes start with the plain design.',
    notChanged: 'The design was not changed',
  },

  logos: {
    title: 'Logos',
    description: 'Logos you have added. You can delete a logo once no code or design uses it.',
    item: (number: number) => fill('Logo {number}', { number }),
    size: (kilobytes: number) => fill('{kilobytes} KB', { kilobytes }),
    delete: (number: number) => fill('Delete logo {number}', { number }),
    deleteTitle: 'Delete this logo?',
    deleteText: 'You can add it again from your file.',
    deleteConfirm: 'Delete logo',
    deleted: 'Logo deleted.',
    notDeleted: 'The logo was not deleted',
  },

  editor: {
    newTitle: 'New design',
    details: 'Details',
    name: 'Name',
    namePlaceholder: 'Spring campaign',
    noName: 'Enter a name',
    isDefault: 'Start every new code with this design',
    design: 'Design',
    frame: 'Frame',
    frameHint: 'For downloads in this design. The code itself stays without a frame.',
    preview: 'Preview',
    previewOf: 'Preview of the design',
    save: 'Save design',
    notSaved: 'The design was not saved',
    saved: (name: string) => fill('Design “{name}” saved.', { name }),
    note: 'Codes made with it stay as they are.',
    copyOf: (name: string) => fill('Copy of {name}', { name }),
    missingTitle: 'Design not found',
    missingHeadings: {
      live: 'You have no live design with this address',
      test: 'You have no test design with this address',
    },
    missingText: 'It may have been deleted, or it belongs to the other mode.',
    all: 'Show all designs',
  },

  frame: {
    label: 'Frame',
    none: 'None',
    types: {
      'label-below': 'Label below',
      'label-above': 'Label above',
      bubble: 'Bubble',
      card: 'Card',
    },
    text: 'Call to action',
    defaultText: 'Scan me',
    noText: 'Enter a text',
    missing: (letter: string) =>
      fill('The font has no “{letter}”. Use Latin, Greek or Cyrillic letters.', { letter }),
    color: 'Frame colour',
    notLoaded: 'Frames could not be loaded',
  },

  compact: {
    label: 'Smaller code (experimental): test it with your phones before you print',
    hint: 'The link is written in capital letters, which take less room.',
    compare: 'Print both kinds side by side',
  },
} as const;
