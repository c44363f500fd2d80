import type { PublicWords } from './words.ts';

export const en: PublicWords = {
  pages: {
    paused: {
      title: 'This code is paused',
      text: 'Its owner has paused it for now. Try again later, or ask where you found it.',
    },
    not_begun: {
      title: 'This code is not active yet',
      text: 'Its owner has set a time from which it works. Try again later, or ask where you found it.',
    },
    ended: {
      title: 'This code has ended',
      text: 'What it led to is over. Ask where you found it.',
    },
    stopped: {
      title: 'This code was blocked for your safety',
      text: 'It may have led to a harmful page. If you entered a password there, change it now. If you entered card details, call your bank.',
    },
    held: {
      title: 'This code is not confirmed yet',
      text: 'Its owner still has to confirm an e-mail address. Try again later.',
    },
    unknown: {
      title: 'This code doesn’t exist',
      text: 'If you typed the link, check it for typos.',
    },
    home: {
      title: 'This address is for QR codes',
      text: 'Scan a code to open what it leads to. There is nothing else here.',
    },
    not_connected: {
      title: 'This domain is not connected',
      text: 'The codes printed with it do not work at the moment. Try again later, or ask where you found the code.',
    },
    deleted: {
      title: 'This code is no longer in use',
      text: 'Its owner has removed it permanently.',
    },
    busy: {
      title: 'One moment, please',
      text: 'Too many codes were opened from your network. Wait a minute, then scan again.',
    },
    unavailable: {
      title: 'One moment, please',
      text: 'We can’t open this code right now. Scan it again in a few seconds.',
    },
    not_allowed: {
      title: 'This link can only be opened',
      text: 'Short links accept GET and HEAD requests only. To change a destination, use the API or the dashboard.',
    },
  },
  reference: id => `Reference: ${id}`,
  preview: {
    oneHost: 'This code leads to',
    manyHosts: 'This code can lead to',
    andMore: 'and more',
    changedOn: day => `Last changed on ${day}.`,
    note: 'This is only a preview: you were not redirected, and no scan was counted. We don’t run these sites, and they may redirect you again.',
    report: 'Report a harmful link',
  },
  report: {
    title: 'Report a link',
    titleNotSent: 'Not sent: report a link',
    lead: 'Does one of our short links or QR codes lead to something harmful? Tell us, and we’ll look into it.',
    notSent: {
      title: 'Your report was not sent.',
      text: 'Please fill in the form again and correct the marked fields. We keep nothing until a report is complete.',
    },
    link: 'Short link',
    linkHint: begin => `It begins with ${begin}`,
    linkMissing: 'Enter the short link.',
    linkForeign: begin =>
      `This is not one of our short links. They begin with ${begin} – enter the link in the QR code, not the page it leads to.`,
    linkUnknown: 'There is no such code. Check the link for typos.',
    question: 'What is wrong with it?',
    kindMissing: 'Choose one of these.',
    kinds: {
      phishing: {
        title: 'Phishing',
        text: 'It pretends to be someone else to get passwords or payment data.',
      },
      malware: { title: 'Malware', text: 'It makes people download or install something harmful.' },
      scam: { title: 'Scam', text: 'It takes money with false promises, such as a fake shop or prize.' },
      illegal: { title: 'Illegal content', text: 'It leads to content that is against the law.' },
      other: { title: 'Something else', text: 'Tell us below what is wrong.' },
    },
    details: 'Details',
    detailsHint: max =>
      `Optional, unless you chose “Something else”. Up to ${max} characters. Please leave out passwords and personal data.`,
    detailsMissing: 'Tell us what is wrong.',
    detailsLong: max => `Use at most ${max} characters.`,
    send: 'Send report',
    privacy: days =>
      `We keep what you enter here, and when, for ${days} days. We don’t keep your IP address or anything about your browser.`,
    thanks: {
      title: 'Thank you for your report',
      text: 'We’ll check where the link leads. If it is harmful, we’ll block it.',
      advice:
        'We can’t reply, because we don’t know who you are. If you entered a password or a card number there, change the password or call your bank now.',
      another: 'Report another link',
    },
    limited: {
      title: 'Too many reports for now',
      text: 'We have received many reports from your network, so this one was not accepted. Try again later.',
    },
    full: {
      title: 'Too many reports today',
      text: 'We have received more reports today than we can handle, so this one was not accepted. Try again tomorrow.',
    },
    large: { title: 'This report is too long', text: 'It was not accepted. Please use fewer words.' },
    unreadable: { title: 'We couldn’t read this report', text: 'Please use the form.' },
    unavailable: {
      title: 'One moment, please',
      text: 'We can’t accept your report right now. Try again in a minute.',
    },
    notAllowed: { title: 'Not possible here', text: 'This page accepts GET and POST requests only.' },
    back: 'Back to the form',
    writeTo: address => `You can also write to ${address}.`,
    visit: address => `You can also report it at ${address}.`,
  },
};
