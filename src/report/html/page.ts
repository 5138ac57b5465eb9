/** The frame of every report: one file that needs nothing else. */
import { createHash } from 'node:crypto';
import { version } from '../../version.ts';
import { escapeHtml } from './escape.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** One part of a report, reached from its head. */
export interface Section {
  readonly id: string;
  /** Its name in the navigation and, where `html` has no heading of its own, above it. */
  readonly title: string;
  readonly html: string;
}

export interface Page {
  readonly title: string;
  /** What stands first, HTML: the subject, the verdict, what was proved. */
  readonly lead: string;
  readonly sections: readonly Section[];
}

/**
 * Renders a whole page. Its policy allows no request and no script but its own, so that even a text that were not
 * escaped could not act.
 */
export function renderPage({ title, lead, sections }: Page): string {
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const links = sections.map(({ id, title: name }) => `<li><a href="#${id}">${escapeHtml(name)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="pagecheck ${escapeHtml(version)}">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<main id="content" tabindex="-1">
${lead}
${links.length > 1 ? `<nav aria-label="Parts of this report"><ul>${links.join('')}</ul></nav>` : ''}
${sections.map(renderSection).join('\n')}
</main>
<footer><p class="soft">Written by pagecheck ${escapeHtml(version)}. This file is complete: it loads nothing.</p></footer>
<script>${script}</script>
</body>
</html>
`;
}

function renderSection({ id, title, html }: Section): string {
  return `<section id="${id}" aria-labelledby="${id}-title">\n<h2 id="${id}-title">${escapeHtml(title)}</h2>\n${html}\n</section>`;
}
