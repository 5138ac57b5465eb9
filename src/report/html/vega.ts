/** Draws a Vega specification as SVG, in Node and without a browser. */

/**
 * What is used of vega. Its own types stand on those of a browser, which this program is not compiled with; a
 * specification is plain JSON (https://vega.github.io/vega/docs/specification/).
 */
interface Vega {
  parse(spec: object): object;
  readonly View: new (runtime: object, options: object) => { toSVG(): Promise<string>; finalize(): unknown };
}

/** Renders a specification; the drawing is one picture to a screen reader, which is told `label`. */
export async function drawVega(spec: object, label: string): Promise<string> {
  const vega = (await import(import.meta.resolve('vega'))) as Vega;
  const view = new vega.View(vega.parse(spec), { renderer: 'none' });
  try {
    const svg = await view.toSVG();
    // The picture has one name; roles of its parts without names would be read out as nothing.
    const plain = svg.replace(/ (?:role|aria-[a-z]+)="[^"]*"/g, '');
    return plain.replace(
      /^<svg [^>]*?(width="[^"]*" height="[^"]*" viewBox="[^"]*")[^>]*>/,
      `<svg class="chart" role="img" aria-label="${label}" $1>`,
    );
  } finally {
    view.finalize();
  }
}
