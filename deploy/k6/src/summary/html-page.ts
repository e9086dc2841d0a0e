import { escaped, latencyBars, lineChart, milliseconds } from './charts.ts'
import { type Report, remarksOf } from './report.ts'

/** The run as one page that needs nothing else: no script, no font, no picture from elsewhere. */
export function htmlPage(report: Report): string {
  const { shape, target, purpose, passed, seconds, journeys, requests, overTime } = report
  const facts = [
    ['Target', target],
    ['Shape', `${shape}: ${purpose}`],
    ['Load', `${journeys} journeys, ${requests} requests in ${seconds} s`],
  ]
  const percent = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.01 ? 2 : 0)} %`
  const series = { seconds }
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Parley under load: ${escaped(shape)}</title>
<style>${style}</style></head>
<body><main>
<h1>Parley under load: ${escaped(shape)}</h1>
<p class="verdict ${passed ? 'good' : 'bad'}">${passed ? '✓ Every limit held' : '✗ At least one limit was broken'}</p>
<dl>${facts.map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
${remarksOf(report)
  .map((remark) => `<p class="remark">${escaped(remark)}</p>`)
  .join('\n')}
<h2>Operations</h2>
<div class="wide"><table><thead><tr>${[
    'Operation',
    'Count',
    'Per second',
    'p50',
    'p95',
    'p99',
    'Longest',
    'Failed',
    '429',
    'Limits',
  ]
    .map((head) => `<th scope="col">${head}</th>`)
    .join('')}</tr></thead>
<tbody>${report.operations.map(row).join('\n')}</tbody></table></div>
<h2>Latency of each operation</h2>
<p class="key"><span class="p0"></span> p50 <span class="p1"></span> p95 <span class="p2"></span> p99 <span class="limit"></span> limit of p95, where it is within the picture</p>
${latencyBars(report)}
<h2>Over the run</h2>
${lineChart({ ...series, title: 'Operations a second', values: overTime.map(({ perSecond }) => perSecond), format: (value) => value.toFixed(value < 10 ? 1 : 0), kind: 'rate' })}
${lineChart({ ...series, title: 'p95 of all operations', values: overTime.map(({ p95 }) => p95), format: milliseconds, kind: 'latency' })}
${lineChart({ ...series, title: 'Failed operations', values: overTime.map(({ failedRate }) => failedRate), format: percent, kind: 'errors' })}
</main></body></html>
`
}

function row({
  name,
  count,
  perSecond,
  p50,
  p95,
  p99,
  max,
  failed,
  failedRate,
  limited,
  limits,
}: Report['operations'][number]) {
  const times = [p50, p95, p99, max].map((ms) => (count > failed ? milliseconds(ms) : '–'))
  const broken = limits.filter(({ ok }) => !ok).map(({ rule }) => rule)
  const verdict = count === 0 ? 'not measured' : broken.length > 0 ? `✗ ${broken.join(', ')}` : '✓'
  const cells = [count, perSecond.toFixed(1), ...times, `${(failedRate * 100).toFixed(2)} %`, limited]
  return `<tr${broken.length > 0 ? ' class="bad"' : ''}><th scope="row">${escaped(name)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}<td class="limits">${escaped(verdict)}</td></tr>`
}

const style = `
:root { --ink: #1b1f24; --soft: #57606a; --paper: #fff; --line: #d8dee4; --a: #7aa2d6; --b: #2f6fbf; --c: #123f7a; --good: #1a7f37; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa4af; --paper: #0f1419; --line: #2d343c; --a: #2f5f99; --b: #5b9bea; --c: #bcd9ff; --good: #4fc46a; --bad: #ff8a80; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
.verdict { font-weight: 600; } .good { color: var(--good); } .verdict.bad, tr.bad .limits { color: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0 0 1rem; } dt { color: var(--soft); } dd { margin: 0; }
.remark { border-left: 3px solid var(--b); padding-left: .75rem; margin: .5rem 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; } th[scope=row], thead th:first-child, .limits, thead th:last-child { text-align: left; } thead th { color: var(--soft); font-weight: 500; }
svg { width: 100%; height: auto; display: block; } figure { margin: 0 0 1.25rem; } figcaption { color: var(--soft); }
text { font: 12px system-ui, sans-serif; fill: var(--ink); } text.axis, text.value { fill: var(--soft); font-size: 11px; } text.value { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
.p0 { fill: var(--a); background: var(--a); } .p1 { fill: var(--b); background: var(--b); } .p2 { fill: var(--c); background: var(--c); }
line.grid { stroke: var(--line); } line.limit { stroke: var(--bad); stroke-width: 2; stroke-dasharray: 4 3; }
polyline { fill: none; stroke-width: 2; } .line.rate { stroke: var(--b); } .line.latency { stroke: var(--c); } .line.errors { stroke: var(--bad); }
circle.rate { fill: var(--b); } circle.latency { fill: var(--c); } circle.errors { fill: var(--bad); }
.key { color: var(--soft); } .key span { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; margin: 0 .25rem 0 .75rem; vertical-align: -1px; } .key span.limit { width: 0; border-left: 2px dashed var(--bad); border-radius: 0; }
`
