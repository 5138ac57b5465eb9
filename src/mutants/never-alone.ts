/** The must-rules that no mutant can break alone, each with the reason: what breaks it breaks another one as well. */
export const neverAlone: Readonly<Record<string, string>> = {
  'TOKEN-7':
    'a token that one transport refuses is refused in the walk that meets it (TOKEN-1), or leads elsewhere than over the others (WIRE-1)',
  'WALK-4':
    'what may not appear was deleted (SNAP-2), does not match the filter (FILTER-1), or is not for this caller (AUTH-2, AUTH-8)',
  'WALK-5':
    'an empty page with a token has one that no returned task supplied (TOKEN-6), and a walk of more pages than tasks shows some of them again (WALK-1)',
  'AUTH-1': 'what a scope adds is shown (WALK-4) or counted (COUNT-1), and it is not for this caller',
  'AUTH-9':
    'an answer that tells a hidden task from a missing one tells the world with it from the world without it (AUTH-8)',
};
