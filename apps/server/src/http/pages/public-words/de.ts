import type { PublicWords } from './words.ts';

export const de: PublicWords = {
  pages: {
    paused: {
      title: 'Dieser Code ist pausiert',
      text: 'Der Inhaber hat ihn vorübergehend pausiert. Versuchen Sie es später noch einmal oder fragen Sie dort nach, wo Sie ihn gefunden haben.',
    },
    not_begun: {
      title: 'Dieser Code gilt noch nicht',
      text: 'Der Inhaber hat festgelegt, ab wann er funktioniert. Versuchen Sie es später noch einmal oder fragen Sie dort nach, wo Sie ihn gefunden haben.',
    },
    ended: {
      title: 'Dieser Code gilt nicht mehr',
      text: 'Das Angebot, zu dem er geführt hat, ist beendet. Fragen Sie dort nach, wo Sie ihn gefunden haben.',
    },
    stopped: {
      title: 'Dieser Code wurde zu Ihrer Sicherheit gesperrt',
      text: 'Er hat möglicherweise auf eine schädliche Seite geführt. Wenn Sie dort ein Passwort eingegeben haben, ändern Sie es jetzt. Wenn Sie Kartendaten eingegeben haben, rufen Sie Ihre Bank an.',
    },
    held: {
      title: 'Dieser Code ist noch nicht bestätigt',
      text: 'Der Inhaber muss noch seine E-Mail-Adresse bestätigen. Versuchen Sie es später noch einmal.',
    },
    unknown: {
      title: 'Diesen Code gibt es nicht',
      text: 'Wenn Sie den Link eingetippt haben, prüfen Sie ihn auf Tippfehler.',
    },
    home: {
      title: 'Diese Adresse gehört zu QR-Codes',
      text: 'Scannen Sie einen Code, um zu seinem Ziel zu kommen. Sonst gibt es hier nichts.',
    },
    not_connected: {
      title: 'Diese Domain ist nicht verbunden',
      text: 'Die damit gedruckten Codes funktionieren zurzeit nicht. Versuchen Sie es später noch einmal, oder fragen Sie dort nach, wo Sie den Code gefunden haben.',
    },
    deleted: {
      title: 'Dieser Code wird nicht mehr verwendet',
      text: 'Der Inhaber hat ihn dauerhaft entfernt.',
    },
    busy: {
      title: 'Einen Moment bitte',
      text: 'Aus Ihrem Netzwerk wurden zu viele Codes aufgerufen. Warten Sie eine Minute und scannen Sie dann erneut.',
    },
    unavailable: {
      title: 'Einen Moment bitte',
      text: 'Dieser Code lässt sich gerade nicht öffnen. Scannen Sie ihn in ein paar Sekunden noch einmal.',
    },
    not_allowed: {
      title: 'Dieser Link lässt sich nur öffnen',
      text: 'Kurzlinks nehmen nur GET- und HEAD-Anfragen an. Das Ziel ändern Sie über die API oder das Dashboard.',
    },
  },
  reference: id => `Referenz: ${id}`,
  preview: {
    oneHost: 'Dieser Code führt zu',
    manyHosts: 'Dieser Code kann hierhin führen',
    andMore: 'und weitere',
    changedOn: day => `Zuletzt geändert am ${day}.`,
    note: 'Das ist nur eine Vorschau: Sie wurden nicht weitergeleitet und es wurde kein Scan gezählt. Diese Websites werden nicht von uns betrieben und können Sie erneut weiterleiten.',
    report: 'Schädlichen Link melden',
  },
  report: {
    title: 'Link melden',
    titleNotSent: 'Nicht gesendet: Link melden',
    lead: 'Führt einer unserer Kurzlinks oder QR-Codes zu etwas Schädlichem? Sagen Sie uns Bescheid, wir sehen es uns an.',
    notSent: {
      title: 'Ihre Meldung wurde nicht gesendet.',
      text: 'Bitte füllen Sie das Formular noch einmal aus und korrigieren Sie die markierten Felder. Wir speichern nichts, bevor eine Meldung vollständig ist.',
    },
    link: 'Kurzlink',
    linkHint: begin => `Er beginnt mit ${begin}`,
    linkMissing: 'Geben Sie den Kurzlink ein.',
    linkForeign: begin =>
      `Das ist keiner unserer Kurzlinks. Sie beginnen mit ${begin} – geben Sie den Link aus dem QR-Code ein, nicht die Seite, zu der er führt.`,
    linkUnknown: 'Diesen Code gibt es nicht. Prüfen Sie den Link auf Tippfehler.',
    question: 'Was stimmt damit nicht?',
    kindMissing: 'Wählen Sie eine Möglichkeit aus.',
    kinds: {
      phishing: {
        title: 'Phishing',
        text: 'Die Seite gibt sich als jemand anderes aus, um an Passwörter oder Zahlungsdaten zu kommen.',
      },
      malware: {
        title: 'Schadsoftware',
        text: 'Die Seite bringt Menschen dazu, etwas Schädliches herunterzuladen oder zu installieren.',
      },
      scam: {
        title: 'Betrug',
        text: 'Die Seite nimmt Geld mit falschen Versprechen ein, zum Beispiel mit einem Fake-Shop oder Gewinnspiel.',
      },
      illegal: {
        title: 'Illegale Inhalte',
        text: 'Der Link führt zu Inhalten, die gegen das Gesetz verstoßen.',
      },
      other: { title: 'Etwas anderes', text: 'Beschreiben Sie unten, was nicht stimmt.' },
    },
    details: 'Beschreibung',
    detailsHint: max =>
      `Freiwillig, außer bei „Etwas anderes“. Höchstens ${max} Zeichen. Bitte geben Sie keine Passwörter oder persönlichen Daten an.`,
    detailsMissing: 'Beschreiben Sie, was nicht stimmt.',
    detailsLong: max => `Verwenden Sie höchstens ${max} Zeichen.`,
    send: 'Meldung senden',
    privacy: days =>
      `Wir speichern Ihre Angaben und den Zeitpunkt ${days} Tage lang. Ihre IP-Adresse und Angaben zu Ihrem Browser speichern wir nicht.`,
    thanks: {
      title: 'Danke für Ihre Meldung',
      text: 'Wir prüfen, wohin der Link führt. Ist er schädlich, sperren wir ihn.',
      advice:
        'Wir können Ihnen nicht antworten, weil wir nicht wissen, wer Sie sind. Wenn Sie dort ein Passwort oder eine Kartennummer eingegeben haben, ändern Sie das Passwort oder rufen Sie jetzt Ihre Bank an.',
      another: 'Weiteren Link melden',
    },
    limited: {
      title: 'Im Moment zu viele Meldungen',
      text: 'Aus Ihrem Netzwerk kamen viele Meldungen, deshalb wurde diese nicht angenommen. Versuchen Sie es später noch einmal.',
    },
    full: {
      title: 'Heute zu viele Meldungen',
      text: 'Heute kamen mehr Meldungen, als wir bearbeiten können, deshalb wurde diese nicht angenommen. Versuchen Sie es morgen noch einmal.',
    },
    large: {
      title: 'Diese Meldung ist zu lang',
      text: 'Sie wurde nicht angenommen. Bitte fassen Sie sich kürzer.',
    },
    unreadable: {
      title: 'Diese Meldung konnte nicht gelesen werden',
      text: 'Bitte verwenden Sie das Formular.',
    },
    unavailable: {
      title: 'Einen Moment bitte',
      text: 'Wir können Ihre Meldung gerade nicht annehmen. Versuchen Sie es in einer Minute noch einmal.',
    },
    notAllowed: { title: 'Hier nicht möglich', text: 'Diese Seite nimmt nur GET- und POST-Anfragen an.' },
    back: 'Zurück zum Formular',
    writeTo: address => `Sie können auch an ${address} schreiben.`,
    visit: address => `Sie können den Link auch hier melden: ${address}.`,
  },
};
