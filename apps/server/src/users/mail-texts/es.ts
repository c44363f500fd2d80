import type { MailTexts } from './en.ts';

export const es: MailTexts = {
  somebody: 'Alguien',
  operator: 'El operador de este servicio',
  modes: { live: 'real', test: 'de prueba' },
  reset: {
    subject: 'Defina una nueva contraseña',
    text: `Defina una nueva contraseña para su cuenta de Signpost. Este enlace funciona una vez, durante una hora:

{link}

Si no lo ha pedido, ignore este correo. Su contraseña sigue siendo la misma.
`,
  },
  verify: {
    subject: 'Confirme su dirección de correo',
    text: `Confirme su dirección de correo para terminar de configurar su cuenta de Signpost. Este enlace vale 24 horas:

{link}

Si no creó esta cuenta, ignore este correo y no abra el enlace. La dirección queda sin confirmar.
`,
  },
  'new-key': {
    subject: 'Nueva clave API ({mode}) en su cuenta',
    text: `Se creó una nueva clave API ({mode}) en su cuenta de Signpost el {time}. Sus claves:

{url}/app/settings/keys

Si no fue usted, revoque allí la clave y defina una nueva contraseña:

{url}/app/forgot-password
`,
  },
  'new-password': {
    subject: 'Su contraseña se ha cambiado',
    text: `La contraseña de su cuenta de Signpost se cambió el {time}. La sesión se cerró en todos los demás dispositivos.

Si no fue usted, defina ahora una nueva contraseña:

{url}/app/forgot-password
`,
  },
  destinations: {
    subject: '{codes} de sus códigos llevan ahora a otro lugar',
    text: `Los destinos de {codes} códigos de su cuenta de Signpost se cambiaron en pocos minutos, el último el {time}. La página de cada código muestra quién lo cambió y qué había antes:

{url}/app/codes

Si no fue usted, revoque las claves API que no conozca y defina una nueva contraseña:

{url}/app/forgot-password
`,
  },
  deletions: {
    subject: '{codes} de sus códigos se eliminaron',
    text: `{codes} códigos de su cuenta de Signpost se eliminaron en pocos minutos, el último el {time}. Las copias impresas ya no funcionan. Si es un error, cree nuevos códigos con los mismos finales de enlace: solo su cuenta puede usarlos de nuevo. Sus escaneos anteriores siguen eliminados.

{url}/app/codes

Si no fue usted, revoque las claves API que no conozca y defina una nueva contraseña:

{url}/app/forgot-password
`,
  },
  'new-browser': {
    subject: 'Nuevo inicio de sesión en su cuenta',
    text: `Se inició sesión en su cuenta de Signpost desde un nuevo navegador: {device}, el {time}. Vea dónde tiene la sesión abierta:

{url}/app/settings/account

Si no fue usted, defina una nueva contraseña, lo que cierra la sesión en todos los dispositivos:

{url}/app/forgot-password
`,
  },
  'suspended-account': {
    subject: 'Su cuenta se suspendió por seguridad',
    text: `Su cuenta de Signpost se suspendió por seguridad el {time}. Sus enlaces cortos ya no redirigen a nadie, y no se eliminó nada.

Inicie sesión para ver el motivo. Si es un error, puede recurrir:

{url}/app
`,
  },
  'suspended-code': {
    subject: 'Su código se suspendió por seguridad',
    text: `Su código {link} se suspendió por seguridad el {time}. Su enlace corto ya no redirige a nadie, y no se eliminó nada.

Inicie sesión para ver el motivo. Si es un error, puede recurrir:

{url}/app
`,
  },
  'released-account': {
    subject: 'Su cuenta ya no está suspendida',
    text: `La suspensión de su cuenta de Signpost se levantó el {time}. Inicie sesión para verla:

{url}/app
`,
  },
  'released-code': {
    subject: 'Su código ya no está suspendido',
    text: `La suspensión de su código {link} se levantó el {time}. Inicie sesión para verlo:

{url}/app
`,
  },
  'change-email': {
    subject: 'Confirme su nueva dirección de correo',
    text: `Pidió usar esta dirección de correo para su cuenta de Signpost. Abra este enlace en 24 horas para confirmarla, en un navegador donde tenga la sesión abierta:

{link}

Si no lo ha pedido, ignore este correo. No cambia nada.
`,
  },
  'email-changing': {
    subject: 'Su dirección de correo en Signpost va a cambiar',
    text: `Alguien que conoce su contraseña pidió cambiar la dirección de correo de su cuenta de Signpost el {time}. Esta dirección sigue en uso hasta que se confirme la nueva. Puede cancelar el cambio aquí:

{url}/app/settings/account

Si no fue usted, defina ahora una nueva contraseña, lo que también cancela el cambio:

{url}/app/forgot-password
`,
  },
  'email-changed': {
    subject: 'Su dirección de correo en Signpost ha cambiado',
    text: `La dirección de correo de su cuenta de Signpost se cambió el {time}. Esta dirección ya no sirve para iniciar sesión ni para restablecer la contraseña. Las demás sesiones se cerraron.

Si no fue usted, póngase en contacto enseguida con el operador del servidor.
`,
  },
  'domain-target': {
    subject: '{host} ya no lleva a una de sus páginas',
    text: `Una página a la que llevaba {host}, además de sus códigos QR, se encontró el {time} en un host bloqueado o en una lista de bloqueo. Se retiró: en su lugar aparece una página del servicio. Los códigos impresos con {host} no se ven afectados.

Si es un error, consulte al operador del servicio:

{url}/app
`,
  },
  closed: {
    subject: 'Su cuenta de Signpost se cerró',
    text: `Una cuenta de Signpost a la que pertenecía se cerró el {time} por un propietario que conoce su contraseña. Sus códigos ya no funcionan, y sus datos se están eliminando. No se puede deshacer.

Si era su única cuenta, también se elimina su acceso: con la cuenta si usted la creó, y a los 30 días si fue invitado.

Si le sorprende, pregunte a los propietarios de la cuenta o al operador del servidor.
`,
  },
  removed: {
    subject: 'Le quitaron de una cuenta de Signpost',
    text: `Un propietario o administrador le quitó de una cuenta de Signpost el {time}. Ya no ve sus códigos ni escaneos. Sus otras cuentas se quedan como están:

{url}/app

Si era su única cuenta, su acceso se elimina a los 30 días.
`,
  },
  invitation: {
    subject: 'Le invitan a una cuenta de Signpost',
    text: `{inviter} le invita a trabajar juntos en códigos QR en una cuenta de Signpost. Este enlace funciona una vez, durante 7 días, y solo para esta dirección de correo:

{link}

Si no sabe quién es, ignore este correo. No pasa nada mientras no abra el enlace y acepte.
`,
  },
};
