import type { PublicWords } from './words.ts';

export const es: PublicWords = {
  pages: {
    paused: {
      title: 'Este código está en pausa',
      text: 'Su propietario lo ha pausado por ahora. Inténtalo más tarde o pregunta en el lugar donde lo encontraste.',
    },
    not_begun: {
      title: 'Este código aún no está activo',
      text: 'Su propietario ha fijado a partir de cuándo funciona. Inténtalo más tarde o pregunta en el lugar donde lo encontraste.',
    },
    ended: {
      title: 'Este código ya no es válido',
      text: 'Aquello a lo que llevaba ha terminado. Pregunta en el lugar donde lo encontraste.',
    },
    stopped: {
      title: 'Este código se ha bloqueado por tu seguridad',
      text: 'Es posible que llevara a una página dañina. Si introdujiste una contraseña, cámbiala ahora. Si introdujiste los datos de una tarjeta, llama a tu banco.',
    },
    held: {
      title: 'Este código aún no está confirmado',
      text: 'Su propietario todavía tiene que confirmar su correo electrónico. Inténtalo más tarde.',
    },
    unknown: {
      title: 'Este código no existe',
      text: 'Si escribiste el enlace a mano, comprueba que no tenga errores.',
    },
    home: {
      title: 'Esta dirección es para códigos QR',
      text: 'Escanea un código para abrir su destino. Aquí no hay nada más.',
    },
    not_connected: {
      title: 'Este dominio no está conectado',
      text: 'Los códigos impresos con él no funcionan en este momento. Vuelve a intentarlo más tarde o pregunta donde encontraste el código.',
    },
    deleted: {
      title: 'Este código ya no se usa',
      text: 'Su propietario lo ha eliminado de forma permanente.',
    },
    busy: {
      title: 'Un momento, por favor',
      text: 'Se han abierto demasiados códigos desde tu red. Espera un minuto y vuelve a escanear.',
    },
    unavailable: {
      title: 'Un momento, por favor',
      text: 'No podemos abrir este código ahora mismo. Vuelve a escanearlo en unos segundos.',
    },
    not_allowed: {
      title: 'Este enlace solo se puede abrir',
      text: 'Los enlaces cortos solo aceptan solicitudes GET y HEAD. Para cambiar un destino, usa la API o el panel.',
    },
  },
  reference: id => `Referencia: ${id}`,
  preview: {
    oneHost: 'Este código lleva a',
    manyHosts: 'Este código puede llevar a',
    andMore: 'y otros',
    changedOn: day => `Última modificación: ${day}.`,
    note: 'Esto es solo una vista previa: no se te ha redirigido y no se ha contado ningún escaneo. Estos sitios no son nuestros y pueden volver a redirigirte.',
    report: 'Denunciar un enlace dañino',
  },
  report: {
    title: 'Denunciar un enlace',
    titleNotSent: 'No enviada: denunciar un enlace',
    lead: '¿Alguno de nuestros enlaces cortos o códigos QR lleva a algo dañino? Cuéntanoslo y lo revisaremos.',
    notSent: {
      title: 'Tu denuncia no se ha enviado.',
      text: 'Vuelve a rellenar el formulario y corrige los campos marcados. No guardamos nada hasta que la denuncia esté completa.',
    },
    link: 'Enlace corto',
    linkHint: begin => `Empieza por ${begin}`,
    linkMissing: 'Introduce el enlace corto.',
    linkForeign: begin =>
      `Este no es uno de nuestros enlaces cortos. Los nuestros empiezan por ${begin} – introduce el enlace del código QR, no la página a la que lleva.`,
    linkUnknown: 'Este código no existe. Comprueba que el enlace no tenga errores.',
    question: '¿Cuál es el problema?',
    kindMissing: 'Elige una de estas opciones.',
    kinds: {
      phishing: {
        title: 'Suplantación de identidad',
        text: 'La página se hace pasar por otra para conseguir contraseñas o datos de pago.',
      },
      malware: {
        title: 'Software malicioso',
        text: 'La página hace que la gente descargue o instale algo dañino.',
      },
      scam: {
        title: 'Estafa',
        text: 'La página saca dinero con promesas falsas, como una tienda o un premio falsos.',
      },
      illegal: { title: 'Contenido ilegal', text: 'El enlace lleva a contenido contrario a la ley.' },
      other: { title: 'Otra cosa', text: 'Cuéntanos abajo cuál es el problema.' },
    },
    details: 'Detalles',
    detailsHint: max =>
      `Opcional, salvo que hayas elegido «Otra cosa». Hasta ${max} caracteres. No incluyas contraseñas ni datos personales.`,
    detailsMissing: 'Cuéntanos cuál es el problema.',
    detailsLong: max => `Usa como máximo ${max} caracteres.`,
    send: 'Enviar denuncia',
    privacy: days =>
      `Guardamos lo que escribas aquí, y cuándo, durante ${days} días. No guardamos tu dirección IP ni nada sobre tu navegador.`,
    thanks: {
      title: 'Gracias por tu denuncia',
      text: 'Comprobaremos adónde lleva el enlace. Si es dañino, lo bloquearemos.',
      advice:
        'No podemos responderte porque no sabemos quién eres. Si introdujiste una contraseña o un número de tarjeta, cambia la contraseña o llama a tu banco ahora.',
      another: 'Denunciar otro enlace',
    },
    limited: {
      title: 'Demasiadas denuncias por ahora',
      text: 'Hemos recibido muchas denuncias desde tu red, así que esta no se ha aceptado. Inténtalo más tarde.',
    },
    full: {
      title: 'Demasiadas denuncias hoy',
      text: 'Hoy hemos recibido más denuncias de las que podemos atender, así que esta no se ha aceptado. Inténtalo mañana.',
    },
    large: {
      title: 'Esta denuncia es demasiado larga',
      text: 'No se ha aceptado. Usa menos palabras.',
    },
    unreadable: { title: 'No hemos podido leer esta denuncia', text: 'Usa el formulario.' },
    unavailable: {
      title: 'Un momento, por favor',
      text: 'No podemos aceptar tu denuncia ahora mismo. Inténtalo dentro de un minuto.',
    },
    notAllowed: {
      title: 'Aquí no es posible',
      text: 'Esta página solo acepta solicitudes GET y POST.',
    },
    back: 'Volver al formulario',
    writeTo: address => `También puedes escribir a ${address}.`,
    visit: address => `También puedes denunciarlo aquí: ${address}.`,
  },
};
