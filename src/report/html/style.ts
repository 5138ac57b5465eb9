/** How a report looks: on a screen of any width, by day and by night, and on paper. */

/** The style sheet. Every pair of text and ground has a contrast of 4.5 to 1 at least, in both schemes. */
export const style: string = `
:root{color-scheme:light dark;--ground:#fff;--card:#f6f7f9;--ink:#15181d;--soft:#4a5260;--line:#c9cfd8;--link:#0b57b0;
--good:#0c6b35;--good-ground:#e3f4e9;--bad:#b3141d;--bad-ground:#fdeaea;--open:#7a4a00;--open-ground:#fdf1d8;
--skip:#4a5260;--skip-ground:#eceff3;--lane:#8a94a3;--chip:#fff;--series-1:#0b57b0;--series-2:#b3141d;--series-3:#0c6b35;--series-4:#7a4a00;--series-5:#6b2fa0}
@media (prefers-color-scheme:dark){:root{--ground:#14171c;--card:#1d2128;--ink:#eceff4;--soft:#b3bcc9;--line:#3b434f;--link:#8ab8ff;
--good:#7fd8a0;--good-ground:#12301f;--bad:#ff9c9c;--bad-ground:#3d1618;--open:#f3c877;--open-ground:#38290d;
--skip:#b3bcc9;--skip-ground:#262b34;--lane:#7b8594;--chip:#14171c;--series-1:#8ab8ff;--series-2:#ff9c9c;--series-3:#7fd8a0;--series-4:#f3c877;--series-5:#cfa4ff}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word}
a{color:var(--link)}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
code{overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999rem}
.skip:focus{left:.5rem;top:.5rem;background:var(--ground);padding:.5rem;z-index:2}
header,main,footer{max-width:72rem;margin:0 auto;padding:0 1rem}
main header{padding:0;max-width:none}
h1{font-size:1.6rem;line-height:1.25;margin:1rem 0 .25rem}
h2{font-size:1.3rem;margin:2.5rem 0 .5rem;border-top:1px solid var(--line);padding-top:1.25rem}
h3{font-size:1.1rem;margin:1.5rem 0 .25rem}
h4{font-size:1rem;margin:1rem 0 .25rem}
p{margin:.4rem 0}
.soft{color:var(--soft)}
.verdict{border-left:.5rem solid;border-radius:.25rem;padding:.75rem 1rem;margin:.75rem 0;font-size:1.1rem}
.verdict strong{font-size:1.25rem}
.passed{color:var(--good);background:var(--good-ground)}.failed{color:var(--bad);background:var(--bad-ground)}
.undecided{color:var(--open);background:var(--open-ground)}.skipped{color:var(--skip);background:var(--skip-ground)}
.badge{display:inline-block;border-radius:.25rem;padding:0 .4rem;font-weight:600;font-size:.85rem;white-space:nowrap}
.facts{display:flex;flex-wrap:wrap;gap:.5rem;margin:.75rem 0;padding:0}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0}
.facts div{background:var(--card);border-radius:.25rem;padding:.4rem .75rem;min-width:0}
.facts dt{color:var(--soft);font-size:.8rem}.facts dd{margin:0;font-weight:600;overflow-wrap:anywhere}
.wrong{padding-left:1.2rem}.wrong li{margin:.35rem 0}
.violation{border:1px solid var(--line);border-radius:.5rem;padding:.25rem 1rem 1rem;margin:1rem 0;break-inside:avoid-page}
.beside{display:grid;grid-template-columns:minmax(0,1fr);gap:0 2rem}
@media (min-width:60rem){.beside{grid-template-columns:minmax(0,11fr) minmax(0,9fr)}}
.told{border-left:.25rem solid var(--line);padding-left:.75rem}
.told.bad{border-color:var(--bad)}.told.good{border-color:var(--good)}
figure{margin:.5rem 0}figcaption{font-weight:600;margin-bottom:.25rem}
.scroll{overflow-x:auto;max-width:100%}
svg{display:block;max-width:100%;height:auto}
.scroll svg.wide{max-width:none}
ol.program,ul.witness{margin:.25rem 0;padding-left:2rem}
ul.witness{list-style:none;padding-left:0}
.program li,.witness li{margin:.15rem 0;overflow-wrap:anywhere}
.witness li:has(b){display:grid;grid-template-columns:5.75rem minmax(0,1fr)}
table{border-collapse:collapse;width:100%;font-size:.925rem}
caption{text-align:left;color:var(--soft);padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
thead th{border-bottom:2px solid var(--lane);white-space:nowrap}
tbody th{font-weight:600;white-space:nowrap}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
th button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:.2rem 0;cursor:pointer;min-height:1.75rem}
th[aria-sort] button::after{content:" \\2195";color:var(--soft)}
th[aria-sort=ascending] button::after{content:" \\2191"}th[aria-sort=descending] button::after{content:" \\2193"}
.filters{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;margin:.5rem 0}
.filters[hidden],tr[hidden]{display:none}
.filters label{display:inline-flex;gap:.35rem;align-items:center;min-height:2rem}
input[type=search]{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--lane);border-radius:.25rem;padding:.25rem .5rem;max-width:16rem;width:100%}
input[type=checkbox]{width:1.1rem;height:1.1rem;accent-color:var(--link)}
summary{cursor:pointer;min-height:1.75rem}
@media (max-width:40rem){body{font-size:15px}.rare{display:none}.violation{padding:.25rem .75rem .75rem}}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
.timeline text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--ink)}
.timeline .lane-name{font-weight:700}.timeline .soft{fill:var(--soft)}
.timeline .axis{stroke:var(--line);stroke-width:2}
.timeline .span{fill:var(--lane)}.timeline .span.page-span{fill:var(--link)}.timeline .span.proving{stroke:var(--ink);stroke-width:1.5}
.timeline .page{fill:var(--card);stroke:var(--lane)}.timeline .page.fault{stroke:var(--bad);stroke-width:2.5}
.timeline .chip{fill:var(--chip);stroke:var(--lane)}
.timeline .chip.boundary{stroke:var(--link);stroke-width:2.5}
.timeline .chip.bad{fill:var(--bad-ground);stroke:var(--bad);stroke-width:2.5}
.timeline .chip.lost{fill:var(--bad-ground);stroke:var(--bad);stroke-width:2;stroke-dasharray:5 3}
.timeline text.bad{fill:var(--bad);font-weight:700}.timeline text.boundary{fill:var(--link);font-weight:700}
.timeline text.touched{fill:var(--open);font-weight:700}
.timeline .link{fill:none;stroke:var(--link);stroke-width:1.75}.timeline .arrow{fill:var(--link)}
.timeline .again{fill:none;stroke:var(--bad);stroke-width:1.75;stroke-dasharray:4 3}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr));gap:1rem}.plot{min-width:0;border:1px solid var(--line);border-radius:.5rem;padding:.75rem}
ul.verdicts{list-style:none;padding:0}.verdicts li{margin:.35rem 0}
.plot svg{width:100%;max-width:32rem}
.chart text{fill:var(--ink)}
@page{margin:1.5cm}
@media print{:root{--ground:#fff;--card:#f6f7f9;--ink:#000;--soft:#333;--line:#aaa;--link:#003a80;--good:#0c6b35;--good-ground:#fff;--bad:#a00;
--bad-ground:#fff;--open:#6b4000;--open-ground:#fff;--skip:#333;--skip-ground:#fff;--lane:#777;--chip:#fff}
body{font-size:10pt}.filters,.skip,nav{display:none}.scroll{overflow:visible}.scroll svg.wide{max-width:100%}tr[hidden]{display:table-row}h2,h3,figcaption{break-after:avoid}figure,tr{break-inside:avoid}
.verdict{border:1pt solid;border-left-width:.5rem}a{color:inherit}}
`.trim();
