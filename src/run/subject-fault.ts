/** A run that can't go on because of the subject itself: nothing was decided. */

/** `interface`: the subject broke its TypeScript interface; `hang`: no answer in time; `open`: it could not be opened. */
export class SubjectFault extends Error {
  readonly kind: 'interface' | 'hang' | 'open';

  constructor(kind: 'interface' | 'hang' | 'open', message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SubjectFault';
    this.kind = kind;
  }
}
