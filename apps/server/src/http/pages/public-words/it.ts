import type { PublicWords } from './words.ts';

export const it: PublicWords = {
  pages: {
    paused: {
      title: 'Questo codice è in pausa',
      text: 'Il proprietario lo ha messo in pausa per il momento. Riprova più tardi o chiedi dove lo hai trovato.',
    },
    not_begun: {
      title: 'Questo codice non è ancora attivo',
      text: 'Il proprietario ha stabilito da quando funziona. Riprova più tardi o chiedi dove lo hai trovato.',
    },
    ended: {
      title: 'Questo codice non è più valido',
      text: 'Ciò a cui portava è terminato. Chiedi dove lo hai trovato.',
    },
    stopped: {
      title: 'Questo codice è stato bloccato per la tua sicurezza',
      text: 'Potrebbe aver portato a una pagina dannosa. Se hai inserito una password, cambiala subito. Se hai inserito i dati di una carta, chiama la tua banca.',
    },
    held: {
      title: 'Questo codice non è ancora confermato',
      text: 'Il proprietario deve ancora confermare il suo indirizzo e-mail. Riprova più tardi.',
    },
    unknown: {
      title: 'Questo codice non esiste',
      text: 'Se hai digitato il link, controlla che non contenga errori.',
    },
    home: {
      title: 'Questo indirizzo serve per i codici QR',
      text: 'Scansiona un codice per aprire la sua destinazione. Qui non c’è altro.',
    },
    not_connected: {
      title: 'Questo dominio non è collegato',
      text: 'I codici stampati con questo dominio al momento non funzionano. Riprova più tardi o chiedi dove hai trovato il codice.',
    },
    deleted: {
      title: 'Questo codice non è più in uso',
      text: 'Il proprietario lo ha rimosso definitivamente.',
    },
    busy: {
      title: 'Un momento, per favore',
      text: 'Dalla tua rete sono stati aperti troppi codici. Aspetta un minuto, poi scansiona di nuovo.',
    },
    unavailable: {
      title: 'Un momento, per favore',
      text: 'Al momento non riusciamo ad aprire questo codice. Scansionalo di nuovo tra qualche secondo.',
    },
    not_allowed: {
      title: 'Questo link si può solo aprire',
      text: 'I link brevi accettano solo richieste GET e HEAD. Per cambiare una destinazione, usa l’API o la dashboard.',
    },
  },
  reference: id => `Riferimento: ${id}`,
  preview: {
    oneHost: 'Questo codice porta a',
    manyHosts: 'Questo codice può portare a',
    andMore: 'e altri',
    changedOn: day => `Ultima modifica: ${day}.`,
    note: 'Questa è solo un’anteprima: non sei stato reindirizzato e nessuna scansione è stata contata. Questi siti non sono gestiti da noi e potrebbero reindirizzarti di nuovo.',
    report: 'Segnala un link dannoso',
  },
  report: {
    title: 'Segnala un link',
    titleNotSent: 'Non inviata: segnala un link',
    lead: 'Uno dei nostri link brevi o codici QR porta a qualcosa di dannoso? Segnalacelo e lo controlleremo.',
    notSent: {
      title: 'La tua segnalazione non è stata inviata.',
      text: 'Compila di nuovo il modulo e correggi i campi evidenziati. Non conserviamo nulla finché una segnalazione non è completa.',
    },
    link: 'Link breve',
    linkHint: begin => `Inizia con ${begin}`,
    linkMissing: 'Inserisci il link breve.',
    linkForeign: begin =>
      `Questo non è uno dei nostri link brevi. I nostri iniziano con ${begin} – inserisci il link contenuto nel codice QR, non la pagina a cui porta.`,
    linkUnknown: 'Questo codice non esiste. Controlla che il link non contenga errori.',
    question: 'Qual è il problema?',
    kindMissing: 'Scegli una di queste opzioni.',
    kinds: {
      phishing: {
        title: 'Phishing',
        text: 'La pagina si spaccia per qualcun altro per ottenere password o dati di pagamento.',
      },
      malware: {
        title: 'Software dannoso',
        text: 'La pagina induce a scaricare o installare qualcosa di dannoso.',
      },
      scam: {
        title: 'Truffa',
        text: 'La pagina sottrae denaro con false promesse, come un finto negozio o un finto premio.',
      },
      illegal: { title: 'Contenuti illegali', text: 'Il link porta a contenuti contrari alla legge.' },
      other: { title: 'Altro', text: 'Descrivi il problema qui sotto.' },
    },
    details: 'Dettagli',
    detailsHint: max =>
      `Facoltativo, a meno che tu non abbia scelto “Altro”. Al massimo ${max} caratteri. Non inserire password o dati personali.`,
    detailsMissing: 'Descrivi il problema.',
    detailsLong: max => `Usa al massimo ${max} caratteri.`,
    send: 'Invia segnalazione',
    privacy: days =>
      `Conserviamo ciò che inserisci qui, e quando, per ${days} giorni. Non conserviamo il tuo indirizzo IP né informazioni sul tuo browser.`,
    thanks: {
      title: 'Grazie per la segnalazione',
      text: 'Controlleremo dove porta il link. Se è dannoso, lo bloccheremo.',
      advice:
        'Non possiamo risponderti perché non sappiamo chi sei. Se hai inserito una password o un numero di carta, cambia la password o chiama subito la tua banca.',
      another: 'Segnala un altro link',
    },
    limited: {
      title: 'Troppe segnalazioni per ora',
      text: 'Abbiamo ricevuto molte segnalazioni dalla tua rete, quindi questa non è stata accettata. Riprova più tardi.',
    },
    full: {
      title: 'Troppe segnalazioni oggi',
      text: 'Oggi abbiamo ricevuto più segnalazioni di quante possiamo gestirne, quindi questa non è stata accettata. Riprova domani.',
    },
    large: {
      title: 'Questa segnalazione è troppo lunga',
      text: 'Non è stata accettata. Usa meno parole.',
    },
    unreadable: { title: 'Non è stato possibile leggere la segnalazione', text: 'Usa il modulo.' },
    unavailable: {
      title: 'Un momento, per favore',
      text: 'Al momento non possiamo accettare la tua segnalazione. Riprova tra un minuto.',
    },
    notAllowed: {
      title: 'Qui non è possibile',
      text: 'Questa pagina accetta solo richieste GET e POST.',
    },
    back: 'Torna al modulo',
    writeTo: address => `Puoi anche scrivere a ${address}.`,
    visit: address => `Puoi anche segnalarlo qui: ${address}.`,
  },
};
