/** A file that cannot be a logo, with the reason in a sentence. */
export class LogoRefusal extends Error {
  override readonly name = 'LogoRefusal';
}
